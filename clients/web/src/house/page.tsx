// The common frame of these pages.
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { learnTitles } from "../catalogue";
import { Bar } from "../parts/bar";
import "./house.css";

export function Page({ name, title, children }: { name: string; title: string; children: ComponentChildren }) {
  useEffect(() => void learnTitles(), []);
  return (
    <>
      <Bar title={title} />
      <main class="house-page" data-house={name}>
        {children}
      </main>
    </>
  );
}
