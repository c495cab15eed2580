// Links to the operator's pages.
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { root } from "../api/root";
import { locale, t } from "../i18n";

/** The foot of the home page: the operator's pages and the server's version. */
export function Foot() {
  const version = useSignal("");
  useEffect(
    () =>
      void root().then(
        (told) => (version.value = told.version),
        () => undefined,
      ),
    [],
  );
  return (
    <footer class="foot">
      <House />
      {version.value && <small translate={false}>Ludarium {version}</small>}
    </footer>
  );
}

type Page = "about" | "privacy" | "terms";

export function House() {
  const pages = useSignal<readonly Page[]>([]);
  useEffect(
    () =>
      void root().then(
        (told) => (pages.value = told.pages),
        () => undefined,
      ),
    [],
  );
  if (!pages.value.length) return null;
  return (
    <nav class="house" aria-label={t("house")}>
      {pages.value.map((page) => (
        <a key={page} href={`/${page}?lang=${locale.value}`}>
          {t(`house.${page}`)}
        </a>
      ))}
    </nav>
  );
}
