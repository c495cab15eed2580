import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Table } from "./store";

export const TableContext = createContext<Table | null>(null);

export function useTable(): Table {
  return useContext(TableContext)!;
}
