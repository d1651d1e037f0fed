// Which certificate covers the files that were dropped here. Nothing leaves this page.
(() => {
  "use strict";
  const { head, certificates, words } = window.SELO_DATA;
  const result = document.getElementById("result");
  const drop = document.getElementById("drop");
  const LANGUAGES = { pt: "pt", zh: "zh-Hant", en: "en" };
  const [NUMBER, STATE, SINCE, UNTIL, , SUCCESSOR, , , , FILES] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const [PATH, SIZE, SHA256, SHA1] = [0, 1, 2, 3];
  // Read whole, because browsers hash nothing piece by piece.
  const MOST_BYTES = 2 ** 30;

  const said = (key, slots = {}) => {
    const all = document.createElement("span");
    for (const [language, tag] of Object.entries(LANGUAGES)) {
      const one = document.createElement("span");
      one.dataset.say = language;
      one.lang = tag;
      one.textContent = words[language][key].replace(/\{(\w+)\}/g, (_, name) => slots[name]?.[language] ?? slots[name] ?? "");
      all.append(one);
    }
    return all;
  };
  // Names come from outside: characters that cannot be seen, or turn the others around, are written out.
  const visible = (text) => text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Variation_Selector}]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);
  const line = (kind, ...parts) => {
    const made = document.createElement("p");
    if (kind) made.className = kind;
    made.append(...parts);
    return made;
  };

  const now = () => new Date();
  // Days are those of Macau, which has no daylight saving time.
  const today = () => new Date(now().getTime() + 8 * 3600 * 1000).toISOString().slice(0, 10);
  const stale = () => now() > new Date(head.expires) || now().getTime() + 300000 < new Date(head.at).getTime();
  const stateOf = (row) => {
    if (stale()) return "unknown";
    const held = row[STATE] === "valid" || row[STATE] === "suspended";
    return held && row[UNTIL] && today() > row[UNTIL] ? "expired" : row[STATE];
  };
  if (stale()) document.getElementById("stale").hidden = false;

  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const hashed = async ({ path, file, loose }) => {
    if (!file || file.size > MOST_BYTES) return { path, loose, sha256: "", sha1: "" };
    const content = await file.arrayBuffer();
    const [sha256, sha1] = await Promise.all(["SHA-256", "SHA-1"].map((kind) => crypto.subtle.digest(kind, content)));
    return { path, loose, sha256: hex(sha256), sha1: hex(sha1) };
  };

  // The same rules as selo identify: place and content; what was given by itself has no place.
  const isAt = (one, path) => one.loose
    ? `/${one.path}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${one.path}`)
    : one.path === path;
  const compare = (row, files) => {
    const left = new Set(files);
    const told = { same: [], changed: [], moved: [], missing: [], extra: [] };
    const take = (fits) => {
      for (const one of left) if (fits(one)) { left.delete(one); return one; }
      return null;
    };
    const others = row[FILES].filter((file) => {
      const found = take((one) => isAt(one, file[PATH]) && one.sha256 === file[SHA256]);
      if (found) told.same.push(file[PATH]);
      return !found;
    });
    for (const file of others) {
      const stands = [...left].some((one) => isAt(one, file[PATH]));
      const found = stands ? null : take((one) => one.sha256 === file[SHA256]);
      if (found) (found.loose ? told.same : told.moved).push(file[PATH]);
      else if (take((one) => isAt(one, file[PATH]))) told.changed.push(file[PATH]);
      else told.missing.push(file[PATH]);
    }
    told.extra = [...left].map((one) => one.path);
    told.exact = row[FILES].some((file) => file[SIZE]) && ["changed", "moved", "missing", "extra"].every((name) => !told[name].length);
    return told;
  };

  const byDigest = new Map();
  certificates.forEach((row, at) => {
    // An empty file, which any product may have, tells nothing.
    for (const file of row[FILES].filter((one) => one[SIZE])) for (const digest of [file[SHA256], file[SHA1]]) {
      if (!byDigest.has(digest)) byDigest.set(digest, new Set());
      byDigest.get(digest).add(at);
    }
  });

  const identify = async (given) => {
    result.replaceChildren();
    delete result.dataset.answer;
    const files = [];
    for (const one of given) files.push(await hashed(one));
    files.sort((a, b) => (a.path < b.path ? -1 : 1));
    const found = new Set(files.flatMap((file) => [...(byDigest.get(file.sha256) ?? [])]));
    const compared = [...found].map((at) => [certificates[at], compare(certificates[at], files)]);
    compared.sort((a, b) => b[1].exact - a[1].exact || b[1].same.length - a[1].same.length || (a[0][NUMBER] < b[0][NUMBER] ? -1 : 1));
    for (const [row, told] of compared) {
      const state = stateOf(row);
      const good = told.exact && state === "valid";
      const slots = { number: row[NUMBER], since: row[SINCE].slice(0, 10) };
      slots.state = Object.fromEntries(Object.keys(LANGUAGES).map((language) => [language, words[language][`registry.state.${state}`]]));
      const entry = document.createElement("section");
      entry.className = `entry ${good ? "conforms" : "violates"}`;
      entry.dataset.certificate = row[NUMBER];
      entry.dataset.state = state;
      entry.append(line("", said(told.exact ? "identify.exact" : "identify.differs", slots)));
      if (row[SUCCESSOR]) entry.append(line("", said("identify.successor", { number: row[SUCCESSOR] })));
      for (const name of ["changed", "moved", "missing", "extra"]) {
        if (!told[name].length) continue;
        const made = line("", said(`identify.${name}`), `: ${told[name].map(visible).join(", ")}`);
        made.dataset.differs = name;
        entry.append(made);
      }
      result.append(entry);
    }
    const valid = compared.some(([row, told]) => told.exact && stateOf(row) === "valid");
    if (!compared.length) result.append(line("banner violates", said("identify.none")));
    if (stale()) result.append(line("banner violates", said("publish.stale"), ` ${head.expires.slice(0, 10)}`));
    result.dataset.answer = valid ? "valid" : "not-valid";
    const table = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = "SHA-256 · SHA-1";
    const list = document.createElement("pre");
    list.textContent = files.map((file) => `${file.sha256}  ${file.sha1}  ${visible(file.path)}`).join("\n");
    table.append(summary, list);
    result.append(table);
  };

  // The first folder of a path is the one that was given.
  const inside = (path) => path.slice(path.indexOf("/") + 1);
  const entriesOf = async (entry, path, found) => {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject)).catch(() => null);
      found.push({ path: path || entry.name, file, loose: !path });
      return;
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const one of some) await entriesOf(one, path ? `${path}/${one.name}` : one.name, found);
    }
  };
  const dropped = async (items) => {
    const entries = [...items].map((item) => item.webkitGetAsEntry?.() ?? item.getAsFile()).filter(Boolean);
    const found = [];
    for (const entry of entries) {
      if (entry instanceof File) found.push({ path: entry.name, file: entry, loose: true });
      else if (entry.isFile) await entriesOf(entry, "", found);
      else {
        const reader = entry.createReader();
        for (;;) {
          const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
          if (!some.length) break;
          for (const one of some) await entriesOf(one, one.name, found);
        }
      }
    }
    await identify(found);
  };

  drop.addEventListener("dragover", (event) => { event.preventDefault(); drop.classList.add("over"); });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    dropped(event.dataTransfer.items);
  });
  document.getElementById("folder").addEventListener("change", (event) => {
    identify([...event.target.files].map((file) => ({ path: inside(file.webkitRelativePath || file.name), file, loose: false })));
  });
  document.getElementById("files").addEventListener("change", (event) => {
    identify([...event.target.files].map((file) => ({ path: file.name, file, loose: true })));
  });
})();
