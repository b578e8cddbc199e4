// After a build: the licences of what is bundled, and the hashes by which a test sees that the bundle is up to date.
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ASSETS = "../crates/serve/assets";
const hash = (path) => createHash("sha256").update(readFileSync(path)).digest("hex");
const files = (folder) =>
  readdirSync(folder)
    .sort()
    .flatMap((name) => (statSync(join(folder, name)).isDirectory() ? files(join(folder, name)) : [join(folder, name)]));

const lock = JSON.parse(readFileSync("package-lock.json", "utf8"));
const bundled = Object.entries(lock.packages).filter(([path, about]) => path && !about.dev);
const notices = bundled.map(([path, about]) => {
  const found = ["LICENSE", "LICENSE.md", "LICENSE.txt"].map((name) => join(path, name)).find((name) => {
    try {
      return statSync(name).isFile();
    } catch {
      return false;
    }
  });
  if (about.license !== "MIT" || !found) throw new Error(`look at the licence of ${path}: ${about.license}`);
  return `${path.replace("node_modules/", "")} ${about.version} (${about.license})\n\n${readFileSync(found, "utf8").trim()}\n`;
});
const head = "The workbench's page contains these packages, besides Suppose itself (MIT OR Apache-2.0).\n\n";
writeFileSync(join(ASSETS, "notices.txt"), head + notices.join(`\n${"-".repeat(70)}\n\n`));

const sources = [...files("src"), ...files("public"), "index.html", "package.json", "package-lock.json", "record.mjs", "tsconfig.json", "vite.config.ts"];
const made = ["icon.svg", "index.html", "notices.txt", "workbench.css", "workbench.js"];
const lines = [...sources.map((path) => `${hash(path)}  web/${path}`), ...made.map((name) => `${hash(join(ASSETS, name))}  crates/serve/assets/${name}`)];
writeFileSync(join(ASSETS, "bundle.sha256"), `${lines.join("\n")}\n`);
