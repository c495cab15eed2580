// The top of every page: home, language, colour scheme, and the state of the connection.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { chooseLocale, locale, t } from "../i18n";
import { LOCALES, THEMES, type Locale, type Theme } from "../look";
import { about } from "../notices";
import { follow } from "../route";
import { narrow } from "../table/screen";
import { setTheme, theme } from "../theme";
import type { Connection } from "../api/live";
import { Bell } from "./bell";
import { closedFromElsewhere } from "./dismissed";

const SIGNS = { light: "☀", dark: "☾", auto: "◐" };

/** children: further entries of the menu. */
export function Bar({
  title,
  connection,
  children,
}: {
  title?: string | undefined;
  connection?: Connection;
  children?: ComponentChildren;
}) {
  useEffect(() => void (about.value = title ?? null), [title]);
  return (
    <header class="bar">
      <a href="/" onClick={follow} class="brand" aria-label="Ludarium">
        <img src="/assets/icon.svg" alt="" width="28" height="28" />
        <span>Ludarium</span>
      </a>
      {title && <h1>{title}</h1>}
      {connection && connection !== "online" && (
        <p class="connection" data-state={connection} role="status">
          {t(`connection.${connection}`)}
        </p>
      )}
      <Bell />
      <Settings>{children}</Settings>
    </header>
  );
}

// On a narrow screen they are behind one button.
function Settings({ children }: { children: ComponentChildren }) {
  const open = useSignal(false);
  useLayoutEffect(() => (open.value ? closedFromElsewhere(open, ".settings", ".menu") : undefined), [open.value]);
  return (
    <div class="settings" data-open={open.value}>
      <button
        type="button"
        class="menu"
        aria-label={t("menu")}
        aria-expanded={open.value}
        aria-controls="settings"
        onClick={() => (open.value = !open.value)}
      >
        <span aria-hidden="true">⋯</span>
      </button>
      <nav id="settings" aria-label={t("menu")}>
        {children}
        <a href="/settings" onClick={follow}>
          {t("settings")}
        </a>
        <a href="/account" onClick={follow}>
          {t("account")}
        </a>
        <Looks />
      </nav>
    </div>
  );
}

// Language and colour scheme: a menu of its own where the bar has room for its links, and part of the menu elsewhere.
function Looks() {
  return (
    <details class="looks" open={narrow.value}>
      <summary>
        <span class="visually-hidden">{t("looks")}: </span>
        {locale.value.toUpperCase()} <span aria-hidden="true">{SIGNS[theme.value]}</span>
      </summary>
      <div>
        <Languages />
        <Themes />
      </div>
    </details>
  );
}

function Languages() {
  return (
    <div role="group" aria-label={t("language")}>
      {(Object.keys(LOCALES) as Locale[]).map((each) => (
        <button
          type="button"
          key={each}
          data-locale={each}
          lang={each}
          title={LOCALES[each]}
          aria-pressed={locale.value === each}
          onClick={() => void chooseLocale(each)}
        >
          {each.toUpperCase()}
        </button>
      ))}
    </div>
  );
}

function Themes() {
  return (
    <div role="group" aria-label={t("theme")}>
      {THEMES.map((each: Theme) => (
        <button
          type="button"
          key={each}
          data-theme-choice={each}
          aria-label={t(`theme.${each}`)}
          title={t(`theme.${each}`)}
          aria-pressed={theme.value === each}
          onClick={() => setTheme(each)}
        >
          <span aria-hidden="true">{SIGNS[each]}</span>
        </button>
      ))}
    </div>
  );
}

export function Trouble({ text }: { text: string | null }) {
  return text ? (
    <p class="trouble" role="alert">
      {text}
    </p>
  ) : null;
}
