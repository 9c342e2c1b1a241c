// `npm run build`: installs what is missing, then builds the dashboard unless that has been done.
import { buildDashboardIfNeeded } from "./dashboard.mjs";
import { installIfNeeded } from "./install.mjs";

installIfNeeded({ development: false });
process.exitCode = buildDashboardIfNeeded() ? 0 : 1;
