// A player's name, which may arrive later.
import { nameOf } from "../catalogue";
import { follow } from "../route";

export function Person({ id, name }: { id: string; name?: string }) {
  return (
    <a class="person" href={`/p/${id}`} data-player={id} onClick={follow}>
      {name ?? nameOf(id)}
    </a>
  );
}
