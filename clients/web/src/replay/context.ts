import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Projector } from "./projector";

export const ProjectorContext = createContext<Projector | null>(null);

export function useProjector(): Projector {
  return useContext(ProjectorContext)!;
}
