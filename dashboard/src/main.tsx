import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";

const place = document.getElementById("app");
if (place === null) throw new Error("index.html has no #app element.");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
