/** Assembles and starts a recorder. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { WebSocketServer } from 'ws';
import { type Config, MICROPHONE_SCENE } from './config.ts';
import { isLocal, refuseUpgrade } from './control/origin.ts';
import { ControlApi } from './control/routes.ts';
import { Firmware } from './flash/firmware.ts';
import { Flash } from './flash/flash.ts';
import { PacedClock } from './paced-clock.ts';
import { isPayload } from './radio/model.ts';
import { WebSocketRadio } from './radio/web-socket.ts';
import { Recorder } from './recorder.ts';
import { loadScenes, type Scene } from './sound/scenes.ts';

/** Virtual recorders accept only local connections. */
const LOOPBACK = '127.0.0.1';
/** Ages of a new recorder's preloaded sessions, in hours. */
const PRELOADED_HOURS_AGO = [3, 27, 50, 76, 121, 170] as const;
const SECONDS_PER_HOUR = 3600;

export interface RunningRecorder {
  /** The base URL of the control API. */
  readonly url: string;
  readonly recorder: Recorder;
  /** Stops the current recording, if any, and shuts down. */
  stop(): Promise<void>;
}

/** Stores all scenes except the microphone's as sessions of a new recorder. */
async function preload(recorder: Recorder, scenes: readonly Scene[]): Promise<void> {
  if (recorder.flash.state.sessionsPreloaded) return;
  const now = recorder.unixTime();
  const others = scenes.filter(({ name }) => name !== MICROPHONE_SCENE);
  const oldestFirst = others.slice(0, PRELOADED_HOURS_AGO.length).reverse();
  for (const [index, preloaded] of oldestFirst.entries()) {
    const { mode, scene } = preloaded;
    const hours = PRELOADED_HOURS_AGO[oldestFirst.length - 1 - index] ?? 0;
    const startTime = now - hours * SECONDS_PER_HOUR;
    await recorder.addSession(preloaded.packets ?? preloaded.samples, { startTime, mode, scene });
  }
  await recorder.flash.saveState({ sessionsPreloaded: true });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, LOOPBACK, () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

/**
 * Starts a recorder.
 * @param config.port 0 selects any free port
 * @param clock the recorder's clock
 * @param scenes the audio scenes; defaults to the scenes in the configured folder
 */
export async function startRecorder(
  config: Config,
  clock = new PacedClock(),
  scenes?: readonly Scene[],
): Promise<RunningRecorder> {
  const opus = await loadOpus(readOpusWasm());
  const loadedScenes = scenes ?? (await loadScenes(config.scenesDir, opus));
  const flash = await Flash.open(config.flashDir);
  const firmware = await Firmware.boot(flash, config.firmwareKey);
  const recorder = new Recorder(flash, firmware, clock, opus, loadedScenes, config.protocol);
  recorder.scene = config.scene;
  recorder.faults.bindConfirm = config.bindConfirm;
  await preload(recorder, loadedScenes);

  const radio = new WebSocketRadio(recorder);
  const control = new ControlApi(recorder, radio, loadedScenes);
  const server = createServer((request, response) => control.handle(request, response));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!isLocal(request)) return refuseUpgrade(socket, 403);
    if (url.pathname !== '/ble') return refuseUpgrade(socket, 404);
    const payload = Number(url.searchParams.get('payload') ?? config.payload);
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      radio.accept(accepted, isPayload(payload) ? payload : undefined),
    );
  });
  const port = await listen(server, config.port);
  return {
    url: `http://${LOOPBACK}:${port}`,
    recorder,
    stop: async () => {
      for (const client of sockets.clients) client.terminate();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await recorder.shutDown();
    },
  };
}
