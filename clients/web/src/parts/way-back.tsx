// The only way back of a guest whose browser loses its data: shown before it is needed, and loaded for guests alone.
import { rejoinCode } from "../guest";
import { streaming } from "../streaming";
import { Later } from "./later";

const load = () => import("./guest-code").then(({ GuestCode }) => GuestCode);

export function WayBack() {
  return rejoinCode.value && !streaming.value ? <Later load={load} /> : null;
}
