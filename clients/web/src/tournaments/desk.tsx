export function NewTournament() { return null; }
export function Desk(_: { id: string }) { return null; }
