// The account pages: loaded together when the first of them is opened.
import { useEffect } from "preact/hooks";
import type { ComponentType } from "preact";
import { t } from "../i18n";
import { Bar } from "../parts/bar";
import type { AboutPeople } from "../route";
import { Account } from "./account";
import { Again } from "./again";
import { Authorize } from "./authorize";
import { Device } from "./device";
import { look, myself } from "./session";
import { Recover, Reset } from "./signing";
import "./people.css";

export const PAGES: Record<AboutPeople, ComponentType> = {
  account: () => <People at="account" Page={Account} />,
  recover: () => <People at="recover" Page={Recover} />,
  reset: () => <People at="reset" Page={Reset} />,
  device: () => <People at="device" Page={Device} />,
  oauth: () => <People at="oauth" Page={Authorize} />,
};

function People({ at, Page }: { at: AboutPeople; Page: ComponentType }) {
  useEffect(() => void look(), []);
  return (
    <>
      <Bar title={t("account")} />
      <main class="new people" data-people={at}>
        {myself.value !== undefined && <Page />}
      </main>
      <Again />
    </>
  );
}
