// The top of every page: home, language, look, and whether we are connected.
import { LOCALES, locale, setLocale, t, type Locale } from "../i18n";
import { go } from "../route";
import { setTheme, theme, THEMES, type Theme } from "../theme";
import type { Connection } from "../api/live";

export function Bar({ title, connection }: { title?: string | undefined; connection?: Connection }) {
  const home = (event: Event) => {
    event.preventDefault();
    go("/");
  };
  return (
    <header class="bar">
      <a href="/" onClick={home} class="brand"><img src="/assets/icon.svg" alt="" width="28" height="28" /><span>Ludarium</span></a>
      {title && <h1>{title}</h1>}
      {connection && connection !== "online" && <p class="connection" data-state={connection} role="status">{t(`connection.${connection}`)}</p>}
      <Settings />
    </header>
  );
}

function Settings() {
  return (
    <nav class="settings" aria-label={`${t("language")}, ${t("theme")}`}>
      <div role="group" aria-label={t("language")}>
        {(Object.keys(LOCALES) as Locale[]).map((each) => (
          <button type="button" key={each} data-locale={each} lang={each} title={LOCALES[each]} aria-pressed={locale.value === each} onClick={() => setLocale(each)}>{each.toUpperCase()}</button>
        ))}
      </div>
      <div role="group" aria-label={t("theme")}>
        {THEMES.map((each: Theme) => (
          <button type="button" key={each} data-theme-choice={each} aria-label={t(`theme.${each}`)} title={t(`theme.${each}`)} aria-pressed={theme.value === each} onClick={() => setTheme(each)}>
            <span aria-hidden="true">{{ light: "☀", dark: "☾", auto: "◐" }[each]}</span>
          </button>
        ))}
      </div>
    </nav>
  );
}

export function Trouble({ text }: { text: string | null }) {
  return text ? <p class="trouble" role="alert">{text}</p> : null;
}
