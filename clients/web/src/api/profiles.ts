// Profiles of players: simultaneous requests are combined into one.
import { answered, api } from "./client";
import type { Profile } from "./types";

/** The server's limit. */
const MOST = 32;

interface Asked {
  resolve: (profile: Profile | null) => void;
  reject: (reason: unknown) => void;
}

let waiting = new Map<string, Asked[]>();

/** Return the player's profile; null if there is no such player. Throws Refused. */
export function profileOf(player: string): Promise<Profile | null> {
  return new Promise((resolve, reject) => {
    if (!waiting.size) queueMicrotask(askForAll);
    waiting.set(player, [...(waiting.get(player) ?? []), { resolve, reject }]);
  });
}

function askForAll(): void {
  const all = [...waiting];
  waiting = new Map();
  for (let begin = 0; begin < all.length; begin += MOST) void askFor(new Map(all.slice(begin, begin + MOST)));
}

async function askFor(asked: ReadonlyMap<string, Asked[]>): Promise<void> {
  try {
    const query = { ids: [...asked.keys()].join(",") };
    const { players } = await answered(api.GET("/api/v1/players", { params: { query } }));
    const found = new Map(players.map((profile) => [profile.id, profile]));
    for (const [player, each] of asked) for (const { resolve } of each) resolve(found.get(player) ?? null);
  } catch (error) {
    for (const each of asked.values()) for (const { reject } of each) reject(error);
  }
}
