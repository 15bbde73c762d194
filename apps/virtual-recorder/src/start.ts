/** Puts a recorder together and switches it on. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { WebSocketServer } from 'ws';
import { type Config, MICROPHONE_SCENE } from './config.ts';
import { isFromHere, refuseUpgrade } from './control/origin.ts';
import { ControlApi } from './control/routes.ts';
import { Firmware } from './flash/firmware.ts';
import { Flash } from './flash/flash.ts';
import { PacedClock } from './paced-clock.ts';
import { isPayload } from './radio/model.ts';
import { WebSocketRadio } from './radio/web-socket.ts';
import { Recorder } from './recorder.ts';
import { loadScenes, type Scene } from './sound/scenes.ts';

/** Only this machine reaches a virtual recorder. */
const LOOPBACK = '127.0.0.1';
/** Hours between the sessions that a new recorder already holds; uneven, as life is. */
const PRELOADED_HOURS_AGO = [3, 27, 50, 76, 121, 170] as const;
const SECONDS_PER_HOUR = 3600;

export interface RunningRecorder {
  /** Base address of the control API. */
  readonly url: string;
  readonly recorder: Recorder;
  /** An orderly switch-off: a running recording is closed first. */
  stop(): Promise<void>;
}

/** A new recorder has been used a little already: it holds every scene but the microphone's. */
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
 * @param config.port 0 takes any free port
 * @param clock what the recorder lives by
 * @param scenes what happens around it; without them, those of its folder
 */
export async function startRecorder(
  config: Config,
  clock = new PacedClock(),
  scenes?: readonly Scene[],
): Promise<RunningRecorder> {
  const opus = await loadOpus(readOpusWasm());
  const heard = scenes ?? (await loadScenes(config.scenesDir, opus));
  const flash = await Flash.open(config.flashDir);
  const firmware = await Firmware.boot(flash, config.firmwareKey);
  const recorder = new Recorder(flash, firmware, clock, opus, heard, config.protocol);
  recorder.scene = config.scene;
  recorder.faults.bindConfirm = config.bindConfirm;
  await preload(recorder, heard);

  const radio = new WebSocketRadio(recorder);
  const control = new ControlApi(recorder, radio, heard);
  const server = createServer((request, response) => control.handle(request, response));
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (request, socket, head) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (!isFromHere(request)) return refuseUpgrade(socket, 403);
    if (url.pathname !== '/ble') return refuseUpgrade(socket, 404);
    const asked = Number(url.searchParams.get('payload') ?? config.payload);
    sockets.handleUpgrade(request, socket, head, (accepted) =>
      radio.accept(accepted, isPayload(asked) ? asked : undefined),
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
