// Sharing the page: as a link, a picture or embedded; and streamer mode.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { TableBody } from "../api/types";
import { t } from "../i18n";
import { covered, peeking, setStreaming, streaming } from "../streaming";

/** at: the moment, if not the current one. study: a shared one with a note on it. */
export function Share({
  table,
  path,
  at,
  study,
}: {
  table: TableBody;
  path: string;
  at?: string;
  study?: string | undefined;
}) {
  const open = useSignal(false);
  const who = table.policies.spectators?.who ?? "everybody";
  const isPublic = who === "everybody" || who === "delayed";
  const asked = at ? `?${at}` : "";
  const noted = study ? `&study=${study}` : "";
  const picture = `${location.origin}/api/v1/tables/${table.id}/picture.png${asked.replace(/&?as=[^&]*/, "")}${noted}`;
  const frame = `<iframe src="${location.origin}/embed${path}${asked}" width="960" height="600" title="Ludarium"></iframe>`;
  return (
    <details class="share" data-share open={open.value} onToggle={(event) => (open.value = event.currentTarget.open)}>
      <summary>{t("share")}</summary>
      {open.value && (
        <div>
          <Line name="link" label={t("share.link")} value={`${location.origin}${path}${asked}${noted}`} />
          {isPublic && <Line name="picture" label={t("share.picture")} value={picture} />}
          {isPublic && <Line name="frame" label={t("share.frame")} value={frame} />}
        </div>
      )}
    </details>
  );
}

function Line({ name, label, value }: { name: string; label: string; value: string }) {
  const copied = useSignal(false);
  useEffect(() => void (copied.value = false), [value]);
  const copy = async () => {
    await navigator.clipboard.writeText(value);
    copied.value = true;
  };
  return (
    <label class="field">
      {label}
      <input type="text" readOnly value={value} data-shared={name} onFocus={(event) => event.currentTarget.select()} />
      {navigator.clipboard && (
        <button type="button" data-copy={name} onClick={() => void copy()}>
          {t(copied.value ? "copied" : "share.copy")}
        </button>
      )}
    </label>
  );
}

export function StreamerMode() {
  return (
    <button
      type="button"
      data-action="streaming"
      aria-pressed={streaming.value}
      title={t("streaming.about")}
      onClick={() => setStreaming(!streaming.value)}
    >
      {t("streaming")}
    </button>
  );
}

/** Shown in place of covered parts. */
export function Cover() {
  return (
    <section class="choosing cover" data-covered={covered.value}>
      <p>{t("streaming.about")}</p>
      <button
        type="button"
        data-action="peek"
        aria-pressed={peeking.value}
        onClick={() => (peeking.value = !peeking.value)}
      >
        {t(peeking.value ? "streaming.cover" : "streaming.peek")}
      </button>
    </section>
  );
}
