import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";
import { followOtherTabs } from "./app/session/session.ts";

const root = document.getElementById("app");
if (root === null) throw new Error("index.html has no #app element.");
followOtherTabs();
createRoot(root).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
