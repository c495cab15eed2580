// Pages about people: loaded when somebody opens the first of them.
import { useEffect } from "preact/hooks";
import type { ComponentType } from "preact";
import { Bar } from "../parts/bar";
import type { AboutPeople } from "../route";
import { Account } from "./account";
import { Again } from "./again";
import { Authorize } from "./authorize";
import { Device } from "./device";
import { look, myself } from "./session";
import { Recover, Reset } from "./signing";
import "./people.css";

const PAGES: Record<AboutPeople, ComponentType> = { account: Account, recover: Recover, reset: Reset, device: Device, oauth: Authorize };

export function People({ at }: { at: AboutPeople }) {
  const Page = PAGES[at];
  useEffect(() => void look(), []);
  return (
    <>
      <Bar />
      <main class="new people" data-people={at}>{myself.value !== undefined && <Page />}</main>
      <Again />
    </>
  );
}
