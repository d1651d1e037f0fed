// The form on a tablet: nothing is sent anywhere. Photographs are hashed here and saved beside the form.
"use strict";
(() => {
  const form = JSON.parse(document.getElementById("form").textContent);
  const words = JSON.parse(document.getElementById("words").textContent);
  const FIELDS = ["result", "observation", "date", "place", "valid_until"];
  const ROLES = ["examiner", "second"];
  // The bytes of each photograph, by digest.
  const photographs = new Map();
  let unsaved = false;

  const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

  // SHA-256 as in FIPS 180-4, where the browser has none for a page from a file.
  function digestBytes(bytes) {
    const primes = [];
    for (let number = 2; primes.length < 64; number += 1) {
      if (primes.every((prime) => number % prime)) primes.push(number);
    }
    const root = (prime, power) => ((prime ** (1 / power)) % 1) * 2 ** 32 | 0;
    const constants = primes.map((prime) => root(prime, 3));
    const state = primes.slice(0, 8).map((prime) => root(prime, 2));
    const padded = new Uint8Array(((bytes.length + 8 >> 6) + 1) << 6);
    padded.set(bytes);
    padded[bytes.length] = 0x80;
    const view = new DataView(padded.buffer);
    view.setUint32(padded.length - 8, Math.floor(bytes.length / 2 ** 29));
    view.setUint32(padded.length - 4, bytes.length << 3);
    const turn = (word, by) => (word >>> by) | (word << (32 - by));
    const schedule = new Int32Array(64);
    for (let at = 0; at < padded.length; at += 64) {
      for (let index = 0; index < 64; index += 1) {
        if (index < 16) {
          schedule[index] = view.getInt32(at + 4 * index);
        } else {
          const [far, near] = [schedule[index - 15], schedule[index - 2]];
          schedule[index] = schedule[index - 16] + (turn(far, 7) ^ turn(far, 18) ^ (far >>> 3))
            + schedule[index - 7] + (turn(near, 17) ^ turn(near, 19) ^ (near >>> 10)) | 0;
        }
      }
      let [a, b, c, d, e, f, g, h] = state;
      for (let index = 0; index < 64; index += 1) {
        const first = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g))
          + constants[index] + schedule[index] | 0;
        const second = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c)) | 0;
        [h, g, f, e, d, c, b, a] = [g, f, e, d + first | 0, c, b, a, first + second | 0];
      }
      [a, b, c, d, e, f, g, h].forEach((word, index) => { state[index] = state[index] + word | 0; });
    }
    const result = new DataView(new ArrayBuffer(32));
    state.forEach((word, index) => result.setInt32(4 * index, word));
    return new Uint8Array(result.buffer);
  }

  async function digest(bytes) {
    const known = globalThis.crypto && crypto.subtle;
    return hex(known ? new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)) : digestBytes(bytes));
  }

  function download(name, content, type) {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([content], { type }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60000);
  }

  const article = (entry) => document.getElementById(`entry-${form.entries.indexOf(entry)}`);
  const isComplete = (entry) => FIELDS.every((name) => (entry[name] ?? "").trim());
  const isSigned = (entry, role) => Boolean(entry[role] && entry[role].name);
  const say = (element, key) => { element.textContent = words[key] ?? ""; };

  function show(entry) {
    const place = article(entry);
    for (const name of FIELDS) {
      for (const input of place.querySelectorAll(`[data-field="${name}"]`)) {
        if (input.type === "radio") input.checked = input.value === entry[name];
        else if (input.value !== (entry[name] ?? "")) input.value = entry[name] ?? "";
      }
    }
    const list = place.querySelector(".photographs");
    list.replaceChildren(...(entry.photos ?? []).map((photo) => {
      const row = document.createElement("li");
      const held = photographs.get(photo.sha256);
      if (held) {
        const picture = document.createElement("img");
        picture.src = held.address;
        picture.alt = photo.file;
        row.append(picture);
      }
      const label = document.createElement("code");
      label.textContent = `${photo.file} ${photo.sha256}`;
      const remove = document.createElement("button");
      remove.type = "button";
      say(remove, "remove");
      remove.addEventListener("click", () => change(entry, () => {
        entry.photos = entry.photos.filter((other) => other !== photo);
      }));
      row.append(label, remove);
      return row;
    }));
    const names = ROLES.filter((role) => isSigned(entry, role)).map((role) => entry[role].name);
    place.querySelector(".signed").textContent = names.join(" · ");
    place.classList.toggle("complete", isComplete(entry));
    const signed = form.entries.filter((other) => ROLES.every((role) => isSigned(other, role))).length;
    document.getElementById("progress").textContent = `${signed} / ${form.entries.length}`;
  }

  // Whoever signed did so for what stood there: a change takes the signatures away.
  function change(entry, act) {
    for (const role of ROLES) entry[role] = { name: "", number: "" };
    entry.photos = (entry.photos ?? []).filter((photo) => !photo.file.startsWith("signature-"));
    act();
    unsaved = true;
    show(entry);
  }

  async function keep(bytes, file, type) {
    const sha256 = await digest(bytes);
    const name = `${file}-${sha256.slice(0, 16)}${type === "image/png" ? ".png" : ".jpg"}`;
    if (!photographs.has(sha256)) {
      const address = URL.createObjectURL(new Blob([bytes], { type }));
      photographs.set(sha256, { bytes, file: name, address, type });
    }
    return { file: name, sha256 };
  }

  form.entries.forEach((entry) => {
    const place = article(entry);
    for (const input of place.querySelectorAll("[data-field]")) {
      input.addEventListener("input", () => change(entry, () => { entry[input.dataset.field] = input.value; }));
    }
    place.querySelector("[data-photo]").addEventListener("change", async (event) => {
      const taken = [];
      for (const file of event.target.files) {
        taken.push(await keep(new Uint8Array(await file.arrayBuffer()), "photo", file.type));
      }
      event.target.value = "";
      change(entry, () => {
        const known = new Set((entry.photos ?? []).map((photo) => photo.sha256));
        entry.photos = [...(entry.photos ?? []), ...taken.filter((photo) => !known.has(photo.sha256))];
      });
    });
    show(entry);
  });

  for (const input of document.querySelectorAll("[data-item]")) {
    input.value = form.item[input.dataset.item] ?? "";
    input.addEventListener("input", () => { form.item[input.dataset.item] = input.value; unsaved = true; });
  }

  document.getElementById("copy").addEventListener("click", () => {
    for (const entry of form.entries) {
      for (const input of document.querySelectorAll("[data-common]")) {
        const name = input.dataset.common;
        if (input.value && !(entry[name] ?? "")) change(entry, () => { entry[name] = input.value; });
      }
    }
  });

  for (const role of ROLES) {
    const panel = document.getElementById(`sign-${role}`);
    const canvas = panel.querySelector("canvas");
    const pen = canvas.getContext("2d");
    const told = panel.querySelector("[role=status]");
    let [drawing, drawn] = [false, false];
    const at = (event) => {
      const box = canvas.getBoundingClientRect();
      const [wide, high] = [canvas.width / box.width, canvas.height / box.height];
      return [(event.clientX - box.left) * wide, (event.clientY - box.top) * high];
    };
    pen.lineWidth = 3;
    pen.lineCap = "round";
    canvas.addEventListener("pointerdown", (event) => {
      drawing = true;
      canvas.setPointerCapture(event.pointerId);
      pen.beginPath();
      pen.moveTo(...at(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!drawing) return;
      pen.lineTo(...at(event));
      pen.stroke();
      drawn = true;
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => { drawing = false; });
    const erase = () => { pen.clearRect(0, 0, canvas.width, canvas.height); drawn = false; };
    panel.querySelector("[data-erase]").addEventListener("click", erase);
    panel.querySelector("[data-sign]").addEventListener("click", async () => {
      const [name, number] = ["name", "number"].map((part) => panel.querySelector(`[data-person=${part}]`).value.trim());
      const other = ROLES.find((another) => another !== role);
      const alike = (one, two) => one && two && one.normalize("NFKC").toLowerCase() === two.normalize("NFKC").toLowerCase();
      const ready = form.entries.filter(isComplete);
      if (!name || !number) return say(told, "nameless");
      if (!drawn) return say(told, "unsigned");
      if (!ready.length) return say(told, "nothing");
      if (ready.some((entry) => isSigned(entry, other)
        && (alike(entry[other].name, name) || alike(entry[other].number, number)))) return say(told, "same");
      const blob = await new Promise((done) => { canvas.toBlob(done, "image/png"); });
      const photo = await keep(new Uint8Array(await blob.arrayBuffer()), `signature-${role}`, "image/png");
      for (const entry of ready) {
        entry[role] = { name, number };
        entry.photos = [...(entry.photos ?? []).filter((one) => !one.file.startsWith(`signature-${role}-`)), photo];
        show(entry);
      }
      unsaved = true;
      // Who signs next must not find this signature.
      erase();
      told.textContent = `${name}: ${ready.length} / ${form.entries.length}`;
      return undefined;
    });
  }

  // JSON is YAML, once what YAML does not print is escaped.
  const escapeUnseen = (text) => text.replace(/[\u007f-\u009f\u2028\u2029\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`);

  document.getElementById("save").addEventListener("click", () => {
    download("witness.yaml", `${escapeUnseen(JSON.stringify(form, null, 1))}\n`, "application/yaml");
    const used = new Map(form.entries.flatMap((entry) => (entry.photos ?? []).map((photo) => [photo.file, photo.sha256])));
    for (const [file, sha256] of used) {
      const held = photographs.get(sha256);
      if (held) download(file, held.bytes, held.type);
    }
    unsaved = false;
  });

  // A form that was saved earlier, perhaps with its photographs.
  document.getElementById("open").addEventListener("change", async (event) => {
    const told = document.getElementById("opened");
    let saved = null;
    for (const file of event.target.files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (file.type.startsWith("image/")) {
        const sha256 = await digest(bytes);
        photographs.set(sha256, { bytes, file: file.name, address: URL.createObjectURL(file), type: file.type });
        continue;
      }
      try {
        saved = JSON.parse(new TextDecoder().decode(bytes));
      } catch {
        return say(told, "not-a-form");
      }
    }
    if (!saved || saved.form !== form.form || saved.spec_digest !== form.spec_digest) return say(told, "not-a-form");
    Object.assign(form.item, saved.item);
    for (const input of document.querySelectorAll("[data-item]")) input.value = form.item[input.dataset.item] ?? "";
    for (const entry of form.entries) {
      const earlier = saved.entries.find((other) => other.id === entry.id);
      if (earlier) for (const name of [...FIELDS, ...ROLES, "photos"]) entry[name] = earlier[name] ?? entry[name];
      show(entry);
    }
    say(told, "opened");
    return undefined;
  });

  addEventListener("beforeunload", (event) => { if (unsaved) event.preventDefault(); });
  globalThis.seloWitness = { digestBytes: (bytes) => hex(digestBytes(bytes)) };
})();
