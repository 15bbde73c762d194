/** Control page: renders the recorder status and operates its buttons. */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const SVG = 'http://www.w3.org/2000/svg';

const clock = (ms) => new Date(ms).toISOString().slice(ms < 3_600_000 ? 14 : 11, 19);
const size = (bytes) =>
  bytes < 1e6
    ? `${Math.round(bytes / 1e3)} KB`
    : bytes < 1e9
      ? `${(bytes / 1e6).toFixed(1)} MB`
      : `${(bytes / 1e9).toFixed(1)} GB`;

/** Messages shown to the user, keyed by error result. */
const refusals = {
  space_full: 'storage is full',
  usb_disk_mode: 'the recorder is in USB disk mode',
  hardware_abnormal: 'the microphone is broken',
  busy: 'the recorder is busy',
  wifi_mode: 'the recorder is in Wi-Fi mode',
  waiting_for_bind: 'the recorder must be bound first',
  session_recording: 'the recorder is recording',
};

/** How long to hold the power button to toggle recording, in ms. */
const RECORD_MS = 2000;
/** How long Enter holds each button, in ms. The power button's time changes while a bind is pending. */
const holdFor = { power: RECORD_MS, wifi: 100, corner: 3000 };

let failure = '';
async function send(path, init) {
  const response = await fetch(path, { method: 'POST', ...init });
  const answer = await response.json();
  failure = answer.error ? `Refused: ${refusals[answer.error] ?? answer.error}.` : '';
  await poll();
}
const post = (path, body) => send(path, { body: JSON.stringify(body) });

function draw(tag, attributes) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  return element;
}

for (let line = 0; line < 3; line++) {
  for (let hole = 0; hole < 7; hole++) {
    const at = { cx: 84 + hole * 12, cy: 238 + line * 12, r: 2.2 };
    document.querySelector('.grille')?.append(draw('circle', at));
  }
}

/** Returns the two lines on the screen: a large line and a small line below it. */
function onScreen({ power, session, confirmMs, wifi, recording, sn }) {
  if (power.state === 'off') return ['', ''];
  if (session) return [clock(session.elapsedMs), session.isPaused ? 'paused' : session.scene];
  if (confirmMs !== null)
    return ['Bind?', confirmMs < 1000 ? 'press Power' : `hold Power ${confirmMs / 1000} s`];
  if (wifi.status === 'hotspot') return ['Wi-Fi', wifi.ssid];
  if (wifi.status === 'joining') return ['Wi-Fi …', 'joining'];
  if (recording === 'stopping') return ['Saving', ''];
  return ['Ready', sn];
}

const bindStates = {
  bound: 'bound',
  unbound: 'not bound',
  waiting: 'confirm the bind',
};

function show(status) {
  const { power, session, battery, storage, wifi, settings } = status;
  const root = document.documentElement;
  root.toggleAttribute('data-recording', session !== null);
  root.toggleAttribute('data-led', settings.recLedStatus);
  root.toggleAttribute('data-dark', !power.isLit);
  const [big, small] = onScreen(status);
  $('big').textContent = big;
  $('small').textContent = small;
  const asleep = power.state === 'off' ? 'Off' : power.state === 'asleep' ? 'Asleep' : '';
  const state = asleep || (session ? (session.isPaused ? 'Paused' : 'Recording') : 'Ready');
  $('state').textContent = failure || state;
  $('saying').textContent = `The recorder: ${state}. ${big} ${small}`;
  $('name').textContent = status.name;
  $('radio').classList.toggle('on', status.connected);
  $('wifi').classList.toggle('on', wifi.status === 'hotspot' || wifi.status === 'joined');
  $('level').setAttribute('width', String(battery.level / 5));
  $('level').classList.toggle('low', battery.level < 20);
  $('bolt').classList.toggle('on', battery.charging);
  const confirm = /** @type {HTMLButtonElement} */ ($('confirm'));
  confirm.hidden = status.confirmMs === null;
  confirm.dataset.ms = String(status.confirmMs ?? 0);
  holdFor.power = status.confirmMs ?? RECORD_MS;
  $('record').textContent = session ? 'Stop' : 'Record';
  $('off').textContent = power.state === 'off' ? 'Clear bindings' : 'Turn off';
  waves(session);
  ring(storage, status.sessions);
  facts([
    ['Serial', status.sn],
    ['Phone', status.connected ? 'connected' : 'not connected'],
    ['Account', bindStates[status.bind]],
    ['Battery', `${battery.level}%${battery.charging ? ', charging' : ''}`],
    ['Wi-Fi', wifi.status === 'off' ? 'off' : `${wifi.status}: ${wifi.ssid}, ${wifi.password}`],
    ['Firmware', status.firmwareVersion],
  ]);
  sessions(status.sessions);
  choices(
    $('scene'),
    [['', 'Silence'], ...status.scenes.map((each) => [each.name, each.title])],
    status.scene ?? '',
  );
  const speeds = [1, 5, 20, 60, 500].map((speed) => [
    String(speed),
    speed === 1 ? 'normal' : `${speed} times`,
  ]);
  choices($('speed'), speeds, String(status.speed));
  faults(status.faults);
}

/** Draws recent levels, one line per tenth of a second. */
function waves(session) {
  const levels = session && !session.isPaused ? session.levels : [];
  $('wave').replaceChildren(
    ...levels.map((level, n) => {
      // Logarithmic scale: 40 dB from the smallest line to the tallest.
      const tall = 1.5 + 13 * Math.max(0, 1 + Math.log10(Math.max(level, 1e-4)) / 2);
      return draw('line', { x1: 64 + n * 7, x2: 64 + n * 7, y1: 176 - tall, y2: 176 + tall });
    }),
  );
}

/** Draws one slice per session, newest last, with a minimum visible size. */
function ring(storage, list) {
  const minimum = 0.6;
  let from = 0;
  const slices = list.map(({ fileSize }) => {
    const part = Math.max(minimum, (100 * fileSize) / storage.total);
    const slice = draw('circle', {
      ...{ cx: 60, cy: 60, r: 48, pathLength: 100 },
      ...{ 'stroke-dasharray': `${Math.max(0, part - 0.2)} 100`, 'stroke-dashoffset': -from },
    });
    from += part;
    return slice;
  });
  $('slices').replaceChildren(...slices);
  $('used').textContent = size(storage.used);
  $('room').textContent = storage.isFull ? 'full' : `${size(storage.free)} free`;
}

function facts(pairs) {
  const parts = pairs.flatMap(([name, value]) => [
    Object.assign(document.createElement('dt'), { textContent: name }),
    Object.assign(document.createElement('dd'), { textContent: value }),
  ]);
  $('facts').replaceChildren(...parts);
}

function sessions(list) {
  $('count').textContent = list.length > 0 ? `· ${list.length}` : '';
  $('none').hidden = list.length > 0;
  const rows = list.toReversed().map((each) => {
    const row = document.createElement('li');
    const startedAt = new Date(each.startTime * 1000).toLocaleString([], {
      dateStyle: 'medium',
      timeStyle: 'short',
    });
    row.append(
      Object.assign(document.createElement('strong'), { textContent: startedAt }),
      Object.assign(document.createElement('span'), { textContent: clock(each.durationMs) }),
      Object.assign(document.createElement('span'), {
        textContent: each.stillRecording
          ? 'being recorded'
          : `${each.mode === 'call' ? 'phone call' : each.scene}`,
        className: each.stillRecording ? 'now' : '',
      }),
      Object.assign(document.createElement('span'), { textContent: size(each.fileSize) }),
    );
    return row;
  });
  $('sessions').replaceChildren(...rows);
}

/** Updates the options only if they have changed, because the list may be open. */
function choices(select, options, value) {
  const text = JSON.stringify(options);
  if (select.dataset.options !== text) {
    select.dataset.options = text;
    select.replaceChildren(...options.map(([id, title]) => new Option(title, id)));
  }
  if (document.activeElement !== select) select.value = value;
}

const faultLabels = {
  dropAfterBytes: 'Break the link after bytes',
  corruptAfterBytes: 'Flip a bit after bytes',
  duplicateAfterBytes: 'Repeat a packet after bytes',
  delayMs: 'Delay of packets, milliseconds',
  lengthLie: 'Bytes added to reported lengths',
  refuseConnect: 'Reject connections',
  listBusy: 'Session lists answered “busy”',
  silence: 'Requests to ignore',
  usbDisk: 'USB disk mode',
  hardware: 'Broken microphone',
  unavailable: 'Recording unavailable',
  storageBytes: 'Storage size, bytes',
  charging: 'Charging',
  wifiDenied: 'Reject devices that join the hotspot',
  wifiVanishAfterBytes: 'Stop the network after bytes',
};

function faults(current) {
  for (const [name, words] of Object.entries(faultLabels)) {
    let input = /** @type {HTMLInputElement | null} */ (document.querySelector(`[name="${name}"]`));
    const isFlag = typeof current[name] === 'boolean';
    if (!input) {
      input = document.createElement('input');
      input.name = name;
      input.type = isFlag ? 'checkbox' : 'number';
      input.min = '0';
      const label = document.createElement('label');
      label.append(...(isFlag ? [input, words] : [words, input]));
      $('faults').append(label);
      input.addEventListener('change', ({ currentTarget }) => {
        const { type, checked, value } = /** @type {HTMLInputElement} */ (currentTarget);
        const number = value === '' ? null : Number(value);
        void post('/faults', { [name]: type === 'checkbox' ? checked : number });
      });
    }
    if (document.activeElement === input) continue;
    if (isFlag) input.checked = current[name];
    else input.value = current[name] ?? '';
  }
}

/** Holds a drawn button while the pointer is down. */
for (const key of document.querySelectorAll('.key')) {
  const button = /** @type {HTMLElement} */ (key).dataset.button ?? '';
  key.setAttribute('tabindex', '0');
  key.setAttribute('role', 'button');
  key.setAttribute(
    'aria-label',
    { power: 'Power', wifi: 'Wi-Fi', corner: 'Top right' }[button] ?? '',
  );
  let since = 0;
  let frame = 0;
  const grow = () => {
    const part = Math.min(100, (100 * (performance.now() - since)) / holdFor[button]);
    if (button === 'power') $('hold').style.strokeDasharray = `${part} 100`;
    frame = requestAnimationFrame(grow);
  };
  const end = (isPress) => {
    if (since === 0) return;
    const ms = Math.round(performance.now() - since);
    since = 0;
    cancelAnimationFrame(frame);
    key.classList.remove('held');
    $('hold').classList.remove('held');
    if (isPress) void post('/press', { button, ms });
  };
  key.addEventListener('pointerdown', (event) => {
    /** @type {Element} */ (event.currentTarget).setPointerCapture(
      /** @type {PointerEvent} */ (event).pointerId,
    );
    since = performance.now();
    key.classList.add('held');
    if (button === 'power') $('hold').classList.add('held');
    grow();
  });
  key.addEventListener('pointerup', () => end(true));
  key.addEventListener('pointercancel', () => end(false));
  key.addEventListener('keydown', (event) => {
    if (/** @type {KeyboardEvent} */ (event).key === 'Enter')
      void post('/press', { button, ms: holdFor[button] });
  });
}
for (const key of document.querySelectorAll('.keys button')) {
  key.addEventListener('click', ({ currentTarget }) => {
    const { button, ms } = /** @type {HTMLElement} */ (currentTarget).dataset;
    void post('/press', { button, ms: Number(ms) });
  });
}

const add = (blob) => send('/sessions', { body: blob });
const drop = $('drop');
for (const name of ['dragenter', 'dragover']) {
  drop.addEventListener(name, (event) => {
    event.preventDefault();
    drop.classList.add('over');
  });
}
drop.addEventListener('dragleave', () => drop.classList.remove('over'));
drop.addEventListener('drop', async (event) => {
  event.preventDefault();
  drop.classList.remove('over');
  for (const file of event.dataTransfer?.files ?? []) await add(file);
});
$('file').addEventListener('change', async ({ currentTarget }) => {
  const input = /** @type {HTMLInputElement} */ (currentTarget);
  for (const file of input.files ?? []) await add(file);
  input.value = '';
});
$('scene').addEventListener('change', ({ currentTarget }) => {
  const { value } = /** @type {HTMLSelectElement} */ (currentTarget);
  void post('/scene', { name: value === '' ? null : value });
});
$('speed').addEventListener('change', ({ currentTarget }) => {
  void post('/clock', { speed: Number(/** @type {HTMLSelectElement} */ (currentTarget).value) });
});
$('break').addEventListener('click', () => void post('/faults', { drop: true }));

/** Records with the computer's microphone until the next click, and adds the recording as a session. */
const talk = $('talk');
const begin = talk.textContent ?? '';
let stopTalking = null;
talk.addEventListener('click', async () => {
  if (stopTalking) return stopTalking();
  try {
    stopTalking = await listen();
    talk.textContent = 'Stop and save to the recorder';
  } catch {
    failure = 'This page has no access to the microphone.';
    await poll();
  }
});

async function listen() {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: { channelCount: 1 } });
  const context = new AudioContext();
  await context.audioWorklet.addModule('/microphone-worklet.js');
  const node = new AudioWorkletNode(context, 'samples');
  const parts = [];
  node.port.onmessage = ({ data }) => parts.push(data);
  context.createMediaStreamSource(stream).connect(node);
  return async () => {
    stopTalking = null;
    talk.textContent = begin;
    for (const track of stream.getTracks()) track.stop();
    await context.close();
    await add(wave(parts, context.sampleRate));
  };
}

/** Encodes samples as a WAV file (16-bit mono PCM in RIFF). */
function wave(parts, rate) {
  const count = parts.reduce((sum, part) => sum + part.length, 0);
  const view = new DataView(new ArrayBuffer(44 + 2 * count));
  const text = (at, letters) => {
    for (const [n, byte] of new TextEncoder().encode(letters).entries())
      view.setUint8(at + n, byte);
  };
  text(0, 'RIFF');
  view.setUint32(4, 36 + 2 * count, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, 2 * count, true);
  let at = 44;
  for (const part of parts) {
    for (const sample of part) {
      view.setInt16(at, Math.max(-1, Math.min(1, sample)) * 32767, true);
      at += 2;
    }
  }
  return new Blob([view], { type: 'audio/wav' });
}

async function poll() {
  try {
    const response = await fetch('/status');
    show(await response.json());
  } catch {
    $('state').textContent = 'The virtual recorder is not running.';
  }
}
await poll();
setInterval(poll, 500);
