// The rejoin code, the only way back for a guest whose browser loses its data: shown before it is needed.
import { rejoinCode } from "../guest";
import { streaming } from "../streaming";
import { GuestCode } from "./guest-code";

export function WayBack() {
  return rejoinCode.value && !streaming.value ? <GuestCode /> : null;
}
