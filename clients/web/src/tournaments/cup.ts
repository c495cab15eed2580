// One tournament: its public data, and the visitor's place in it. It is loaded again while the page is visible.
import { createContext } from "preact";
import { signal } from "@preact/signals";
import { useContext, useEffect } from "preact/hooks";
import { answered, api, Refused } from "../api/client";
import type {
  BoardBody,
  EntryBody,
  OwnInvitation,
  OwnPlace,
  RoundBody,
  SentInvitation,
  TournamentBody,
} from "../api/types";
import { isGone, nameOf } from "../catalogue";
import { me, whoAmI } from "../guest";
import { t } from "../i18n";
import { isolated } from "../i18n/messages";
import { heirOf, RIGHTS, type Right, type Role } from "./rights";

export const ROUND = "/api/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}" as const;
const AGAIN_MS = 5_000;
export type Place = { stage: number; round: number };

export class Cup {
  readonly body = signal<TournamentBody | null>(null);
  readonly entries = signal<ReadonlyMap<number, EntryBody>>(new Map());
  readonly own = signal<OwnPlace | null>(null);
  readonly invitation = signal<OwnInvitation | null>(null);
  /** An invitation to be an official. */
  readonly offer = signal<OwnInvitation | null>(null);
  readonly sent = signal<readonly SentInvitation[]>([]);
  readonly rounds = signal<ReadonlyMap<string, RoundBody>>(new Map());
  readonly trouble = signal<string | null>(null);
  readonly busy = signal(false);

  constructor(readonly id: string) {}

  get path() {
    return { params: { path: { tournament_id: this.id } } };
  }

  /**
   * Load everything again; parts that cannot be loaded stay as they were. all: also data outside the log, such as listed
   * names.
   */
  async look(all = false): Promise<void> {
    try {
      const body = await answered(api.GET("/api/v1/tournaments/{tournament_id}", this.path));
      if (!all && body.seq === this.body.value?.seq) return;
      const [{ entries }, own] = await Promise.all([
        answered(api.GET("/api/v1/tournaments/{tournament_id}/entries", this.path)),
        this.mine(),
      ]);
      await Promise.all([...this.rounds.value.values()].map((round) => this.round(round)));
      const [invited, sent] = await Promise.all([this.invited(), this.invitations(body)]);
      const invitation = own ? null : (invited.find(({ role }) => role === null) ?? null);
      this.offer.value = invited.find(({ role }) => role !== null) ?? null;
      this.entries.value = new Map(entries.map((entry) => [entry.entry, entry]));
      [this.invitation.value, this.sent.value, this.own.value, this.body.value] = [invitation, sent, own, body];
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble.value = error.problem.status === 404 ? t("lost") : error.problem.title;
    }
  }

  /** Null for visitors without an entry. */
  private async mine(): Promise<OwnPlace | null> {
    if (!(await whoAmI())) return null;
    const { data, error } = await api.GET("/api/v1/tournaments/{tournament_id}/me", this.path);
    if (error && error.code !== "not-entered") throw new Refused(error);
    return data ?? null;
  }

  private async invited(): Promise<readonly OwnInvitation[]> {
    if (!(await whoAmI())) return [];
    const { data } = await api.GET("/api/v1/me/tournament-invitations");
    return data?.invitations.filter(({ tournament }) => tournament === this.id) ?? [];
  }

  /** The invitations that were not accepted, for hosts. */
  private async invitations({ officials }: TournamentBody): Promise<readonly SentInvitation[]> {
    const role = officials.find(({ player }) => player === me.value)?.role;
    if (!role || !RIGHTS[role].includes("hold")) return [];
    const { data } = await api.GET("/api/v1/tournaments/{tournament_id}/invitations", this.path);
    return data?.invitations ?? [];
  }

  /** Return the visitor's id. */
  async self(): Promise<string | null> {
    await whoAmI();
    return me.value;
  }

  /** Load a round. Only hosts can see a draft. */
  async round({ stage, round }: Place): Promise<void> {
    const path = { tournament_id: this.id, stage, round };
    const { data } = await api.GET("/api/v1/tournaments/{tournament_id}/stages/{stage}/rounds/{round}", {
      params: { path },
    });
    if (data) this.rounds.value = new Map(this.rounds.value).set(key({ stage, round }), data);
  }

  /** Change something. A refusal is shown. */
  async act(deed: () => Promise<unknown>): Promise<void> {
    this.busy.value = true;
    this.trouble.value = null;
    try {
      await deed();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.trouble.value = error.message;
    } finally {
      await this.look();
      this.busy.value = false;
    }
  }

  /** Return the name that a host has listed the entry under, or its player's own. */
  name(entry: number): string {
    const known = this.entries.value.get(entry);
    return isolated(known?.listed_as ?? known?.name ?? t("deleted"));
  }

  /** Return a player's name, as in their entry if they have one. */
  person(player: string): string {
    const entry = [...this.entries.value.values()].find((each) => each.player === player);
    return entry ? this.name(entry.entry) : nameOf(player);
  }

  get role(): Role | null {
    return this.body.value?.officials.find(({ player }) => player === me.value)?.role ?? null;
  }

  may(right: Right): boolean {
    return this.role !== null && RIGHTS[this.role].includes(right);
  }

  /** Officials have no rights at a table where they play. */
  mayAt(right: Right, { seats }: Pick<BoardBody, "seats">): boolean {
    return this.may(right) && !seats.includes(this.own.value?.entry ?? -1);
  }

  get heir(): string | null {
    return heirOf(this.body.value?.officials ?? [], isGone);
  }
}

export function key({ stage, round }: Place): string {
  return `${stage}.${round}`;
}

export function useFollowed(cup: Cup): void {
  useEffect(() => {
    void cup.look();
    const again = setInterval(() => document.visibilityState === "visible" && void cup.look(), AGAIN_MS);
    return () => clearInterval(again);
  }, [cup, me.value]);
}

export const CupContext = createContext<Cup>(null!);
export const useCup = () => useContext(CupContext);
