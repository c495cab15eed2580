// Names for what the API sends; the types themselves are made from api-schema/openapi.json.
import type { components } from "./schema";

type Schemas = components["schemas"];
export type Ruleset = Schemas["Ruleset"];
export type RulesetSummary = Schemas["RulesetSummary"];
export type CardBody = Schemas["CardBody"];
export type Zone = Schemas["Zone"];
export type Spot = Schemas["Spot"];
export type Board = Schemas["Board"];
export type Space = Schemas["Space"];
export type Icon = NonNullable<Spot["icon"]>;
export type Guest = Schemas["Guest"];
export type Policies = Schemas["PoliciesBody"];
export type TableBody = Schemas["TableBody"];
export type TableView = Schemas["TableView"];
export type GameView = NonNullable<TableView["view"]>;
export type Choice = NonNullable<TableView["choice"]>;
export type Offer = Schemas["OfferBody"];
export type Subset = NonNullable<Offer["subset"]>;
export type Piece = Schemas["Piece"];
export type Message = Schemas["Message"];
export type SlotBody = Schemas["SlotBody"];
export type Accepted = Schemas["Accepted"];
export type EventBody = Schemas["Event"];
export type StoryLine = Schemas["LineBody"];
export type Problem = Schemas["ProblemDetails"];
export type Action = Schemas["ActionBody"];
