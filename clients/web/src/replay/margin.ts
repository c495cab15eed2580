// The notes on a replay: one study, the visitor's own or a shared one; and the comments below the game.
import { signal } from "@preact/signals";
import { answered, api, Refused, token } from "../api/client";
import type { Arrow, Chapter, Comment, Note, Study } from "../api/types";
import { beSomebody, me } from "../guest";
import { begun, joined, noted, nthAt, renamed } from "./chapters";
import type { Eyes } from "./source";

export type Glyph = NonNullable<Note["glyph"]>;
export const GLYPHS: Record<Glyph, string> = {
  brilliant: "!!",
  good: "!",
  interesting: "!?",
  dubious: "?!",
  mistake: "?",
  blunder: "??",
};

type Written = { text: string; glyph: Glyph | null; arrows?: readonly Arrow[] };

export class Margin {
  readonly study = signal<Study | null>(null);
  readonly comments = signal<readonly Comment[]>([]);
  readonly trouble = signal<string | null>(null);

  constructor(
    readonly table: string,
    private readonly name: string,
    private readonly over: boolean,
    private readonly eyes: () => Eyes,
  ) {}

  /** Open the study in the address, or the visitor's newest one. */
  async open(): Promise<void> {
    await this.trying(async () => {
      const named = new URLSearchParams(location.search).get("study");
      const id =
        named ??
        (token.get() &&
          (await answered(api.GET("/api/v1/tables/{table_id}/studies", { params: { path: { table_id: this.table } } })))
            .studies[0]?.id);
      if (id)
        this.study.value = await answered(
          api.GET("/api/v1/studies/{study_id}", { params: { path: { study_id: id } } }),
        );
      if (this.over) await this.listen();
    });
  }

  get chapters(): readonly Chapter[] {
    return (this.study.value?.chapters ?? []) as readonly Chapter[];
  }

  get notes(): readonly Note[] {
    return this.chapters.flatMap(({ notes }) => notes);
  }

  /** Whether the visitor may edit the study, or it belongs to another player. */
  get own(): boolean {
    return !this.study.value || this.study.value.player === me.value;
  }

  at(seq: number): Note | undefined {
    return this.notes.find(({ at }) => at === seq);
  }

  /** Set the note on this event; without text, glyph and arrows it is removed. */
  async note(at: number, { text, glyph, arrows = this.at(at)?.arrows ?? [] }: Written): Promise<void> {
    const chapters = this.chapters.length ? this.chapters : begun([], this.chapter(this.name, 0));
    await this.write(noted(chapters, { at, text: text.trim(), glyph, arrows: [...arrows] }));
  }

  async share(shared: boolean): Promise<void> {
    await this.write(this.chapters, shared);
  }

  /** Return the study's id, if it is shared and has a note on this event. */
  shared(seq: number): string | undefined {
    const study = this.study.value;
    return study?.shared && this.at(seq) ? study.id : undefined;
  }

  // --- chapters
  /** Return the chapter of an event; -1 without chapters. */
  nthChapter(seq: number): number {
    return nthAt(this.chapters, seq);
  }

  async begin(at: number, title: string): Promise<void> {
    await this.write(begun(this.chapters, this.chapter(title, at)));
  }

  async rename(nth: number, title: string): Promise<void> {
    await this.write(renamed(this.chapters, nth, title));
  }

  /** Delete a chapter; its notes move to another one. */
  async join(nth: number): Promise<void> {
    await this.write(joined(this.chapters, nth));
  }

  private chapter(title: string, at: number): Omit<Chapter, "notes"> {
    return { title, at, eyes: this.eyes() };
  }

  private async write(chapters: readonly Chapter[], shared = this.study.value?.shared ?? false): Promise<void> {
    await this.trying(async () => {
      await beSomebody();
      const known = this.study.value;
      const body = { title: known?.title ?? this.name, shared, chapters: [...chapters] };
      this.study.value = await answered(
        known
          ? this.change(known, body)
          : api.POST("/api/v1/tables/{table_id}/studies", { params: { path: { table_id: this.table } }, body }),
      );
    });
  }

  private change(known: Study, body: Pick<Study, "title" | "shared" | "chapters">) {
    const params = { path: { study_id: known.id }, header: { "If-Match": `"${known.version}"` } };
    return api.PUT("/api/v1/studies/{study_id}", { params, body });
  }

  // --- comments
  private async listen(): Promise<void> {
    this.comments.value = (
      await answered(
        api.GET("/api/v1/tables/{table_id}/comments", {
          params: { path: { table_id: this.table }, query: { limit: 100 } },
        }),
      )
    ).comments;
  }

  async say(at: number, text: string): Promise<boolean> {
    return this.trying(async () => {
      await beSomebody();
      await answered(
        api.POST("/api/v1/tables/{table_id}/comments", {
          params: { path: { table_id: this.table } },
          body: { at, text },
        }),
      );
      await this.listen();
    });
  }

  async unsay(comment: string): Promise<void> {
    await this.trying(async () => {
      const { error } = await api.DELETE("/api/v1/tables/{table_id}/comments/{comment_id}", {
        params: { path: { table_id: this.table, comment_id: comment } },
      });
      if (error) throw new Refused(error);
      await this.listen();
    });
  }

  private async trying(work: () => Promise<void>): Promise<boolean> {
    this.trouble.value = null;
    try {
      await work();
      return true;
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble.value = error.problem.title;
      return false;
    }
  }
}
