// Languages and filters of a page. Without it everything is shown, Portuguese and Chinese.
(() => {
  "use strict";
  const root = document.documentElement;
  const remembered = () => { try { return localStorage.getItem("selo-show"); } catch { return null; } };
  const remember = (value) => { try { localStorage.setItem("selo-show", value); } catch { /* not allowed here */ } };

  const show = (value) => {
    root.dataset.show = value;
    root.lang = { zh: "zh-Hant", en: "en" }[value] ?? "pt";
    for (const named of document.querySelectorAll("option[data-pt], title[data-pt]")) {
      named.textContent = value === "both" ? `${named.dataset.pt} · ${named.dataset.zh}` : named.dataset[value];
    }
  };
  for (const radio of document.querySelectorAll('input[name="show"]')) {
    radio.addEventListener("change", () => { show(radio.value); remember(radio.value); });
  }
  const chosen = document.querySelector(`input[name="show"][value="${remembered() ?? "both"}"]`)
    ?? document.querySelector('input[name="show"][value="both"]');
  if (chosen) { chosen.checked = true; show(chosen.value); }

  const form = document.querySelector("form.filter");
  if (!form) return;
  form.hidden = false;
  const entries = [...document.querySelectorAll("[data-entry]")];
  const sections = [...document.querySelectorAll("[data-section]")];
  const counted = form.querySelector("[data-counted]");
  const folded = (words) => words.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const texts = new Map(entries.map((entry) => [entry, folded(entry.textContent)]));

  const fits = (entry) => [...form.elements].every((field) => {
    if (!field.name || !field.value) return true;
    if (field.name === "words") return folded(field.value).split(/\s+/).every((word) => texts.get(entry).includes(word));
    if (field.type === "checkbox") return !field.checked || entry.dataset[field.name] === field.value;
    return (entry.dataset[field.name] ?? "").split(" ").includes(field.value);
  });
  const filter = () => {
    let seen = 0;
    for (const entry of entries) {
      entry.hidden = !fits(entry);
      seen += entry.hidden ? 0 : 1;
    }
    for (const section of sections) {
      section.hidden = !section.querySelector("[data-entry]:not([hidden])");
    }
    if (counted) counted.textContent = `${seen} / ${entries.length}`;
  };
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => { event.preventDefault(); filter(); });
  form.addEventListener("reset", () => setTimeout(filter));
  filter();

  // A link to an entry shows it, whatever is filtered.
  const reveal = () => {
    const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target && target.closest("[hidden]")) { form.reset(); setTimeout(() => target.scrollIntoView()); }
  };
  addEventListener("hashchange", reveal);
  reveal();
})();
