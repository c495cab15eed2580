export function Tournaments() { return null; }
export function TournamentPage(_: { id: string }) { return null; }
