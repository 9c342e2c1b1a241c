import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/app.tsx";

const place = document.getElementById("app");
if (place === null) throw new Error("The page has no place for the dashboard.");
createRoot(place).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
