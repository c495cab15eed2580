// Somebody, by name; what they are called comes a moment later.
import { nameOf } from "../catalogue";
import { follow } from "../route";

export function Person({ id }: { id: string }) {
  return <a class="person" href={`/p/${id}`} data-player={id} onClick={follow}>{nameOf(id)}</a>;
}
