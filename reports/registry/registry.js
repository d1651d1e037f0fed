// How old the registry is, what has expired since, and the search of the first page.
(() => {
  "use strict";
  const head = window.SELO_HEAD;
  const now = new Date();
  // Days are those of Macau, which has no daylight saving time.
  const today = new Date(now.getTime() + 8 * 3600 * 1000).toISOString().slice(0, 10);
  const stale = !head || now > new Date(head.expires);
  if (head) {
    for (const place of document.querySelectorAll("[data-at]")) place.textContent = head.at.slice(0, 10);
    for (const place of document.querySelectorAll("[data-expires]")) place.textContent = head.expires.slice(0, 10);
    const told = document.getElementById("as-of");
    if (told) told.hidden = false;
  }
  if (stale) document.getElementById("stale").hidden = false;

  // A list past its own expiry says of nothing that it is valid.
  for (const chip of document.querySelectorAll("[data-state]")) {
    const { state, until } = chip.dataset;
    const beside = (name) => chip.parentElement.querySelector(`[${name}]`);
    if (stale && (state === "valid" || state === "suspended")) {
      chip.hidden = true;
      beside("data-unknown").hidden = false;
    } else if (until && today > until && beside("data-expired")) {
      chip.hidden = true;
      beside("data-expired").hidden = false;
    }
  }

  const rows = window.SELO_SEARCH;
  const form = document.querySelector("form.search");
  if (!form || !rows) return;
  form.hidden = false;
  const most = 50;
  const folded = (words) => words.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const texts = rows.map((row) => folded([row[0], ...row.slice(3)].join(" ")));
  const results = document.querySelector("[data-results]");
  const counted = document.querySelector("[data-found]");
  const search = () => {
    const words = folded(form.elements.words.value).split(/\s+/).filter(Boolean);
    results.replaceChildren();
    counted.textContent = "";
    if (!words.length) return;
    let found = 0;
    texts.forEach((text, at) => {
      if (!words.every((word) => text.includes(word))) return;
      found += 1;
      if (found > most) return;
      const [number, file, , vendor, name, version] = rows[at];
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = `certificates/${file}.html`;
      link.textContent = number;
      item.append(link, ` ${[name, version, vendor].filter(Boolean).join(" · ")}`);
      results.append(item);
    });
    counted.textContent = `${found} / ${rows.length}`;
  };
  form.addEventListener("input", search);
  form.addEventListener("submit", (event) => { event.preventDefault(); search(); });
  search();
})();
