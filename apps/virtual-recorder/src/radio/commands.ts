/** Command handlers of a connected phone. */
import {
  type CommandName,
  MAX_OPERATIONS,
  type RequestOf,
  type ResponseOf,
} from '@linnet/device/codec';
import { CHUNK_SIZE } from '../device-types.ts';
import { done, type Outcome, refused } from '../outcome.ts';
import type { Recorder } from '../recorder.ts';
import {
  batteryOf,
  handshakeResponse,
  networksOf,
  sessionPageFor,
  statusFor,
  storageOf,
} from '../wire.ts';
import type { Authentication } from './authentication.ts';
import type { ConnectedPhone } from './radio.ts';
import { SessionStream } from './stream.ts';

type MaybePromise<T> = T | Promise<T>;
export type CommandHandlers = {
  readonly [N in CommandName]: (
    value: RequestOf<N>,
    sequence: number,
  ) => MaybePromise<Outcome<ResponseOf<N>>>;
};

/** Link state that commands change. */
export interface CommandLink extends ConnectedPhone {
  /** The bytes of one notification. */
  readonly payload: number;
  stream: SessionStream | undefined;
  /** Sequence of the request that announced the incoming firmware image. */
  updateSequence: number | undefined;
  /** Signals that a stream frame may be available. */
  wake(): void;
}

export function commandHandlers(
  recorder: Recorder,
  link: CommandLink,
  authentication: Authentication,
): CommandHandlers {
  const isVisible = (sessionId: number) =>
    recorder.sessions.isVisible(sessionId, authentication.viewer);
  return {
    handshake: (request) => {
      const negotiated = authentication.handshake(request);
      if (!negotiated.ok) return negotiated;
      link.stream = undefined;
      link.updateSequence = undefined;
      return done(handshakeResponse(recorder, negotiated.value, link.payload));
    },
    token: (request) => authentication.token(request),
    bind: () => authentication.bind(),
    unbind: async () => {
      await recorder.binding.unbind(link);
      return done({});
    },
    agreeKey: (request) => authentication.agreeKey(request),
    openChannel: (request) => authentication.openChannel(request),
    claim: (request) => authentication.claim(request),
    attest: (request) => authentication.attest(request),
    timeSync: ({ unixTime }) => {
      recorder.setTime(unixTime);
      return done({});
    },
    status: () => done(statusFor(authentication.viewer, recorder)),
    serial: () => done({ sn: recorder.flash.state.sn }),
    recordStart: (request) => recorder.start(request, 'phone'),
    recordEnd: () => recorder.stop(),
    recordPause: () => recorder.pause(),
    recordRestore: () => recorder.restore(),
    sessionList: ({ afterSessionId }) => {
      const { faults } = recorder;
      if (faults.listBusy > 0) {
        faults.listBusy -= 1;
        return refused('busy');
      }
      return done(sessionPageFor(authentication.viewer, recorder.sessions, afterSessionId));
    },
    syncFile: (request, sequence) => {
      const durable = recorder.sessions.durable(request.sessionId);
      if (!durable || !isVisible(request.sessionId)) return refused('session_unknown');
      const { refuseSession } = recorder.faults;
      if (refuseSession?.sessionId === request.sessionId) return refused(refuseSession.result);
      const chunks = Math.ceil(durable.size / CHUNK_SIZE);
      if (request.fromChunk > chunks) return refused('chunk_out_of_range');
      link.stream = new SessionStream(recorder, request, sequence, () => link.wake());
      return done({ fileSize: durable.size, stillRecording: durable.sha256 === undefined });
    },
    syncStop: () => {
      link.stream = undefined;
      return done({});
    },
    deleteRecord: async ({ sessionId }) => {
      if (!isVisible(sessionId)) return refused('session_unknown');
      if (link.stream?.sessionId === sessionId) link.stream = undefined;
      const deleted = await recorder.sessions.delete(sessionId);
      return deleted.ok ? done({}) : deleted;
    },
    storageVolume: () => done(storageOf(recorder.sessions)),
    generalSetting: async (settings) => {
      await recorder.set(settings);
      return done({});
    },
    battery: () => done(batteryOf(recorder)),
    ledGet: () => done({ recLedStatus: recorder.settings.recLedStatus }),
    ledSet: async ({ recLedStatus }) => {
      await recorder.set({ ...recorder.settings, recLedStatus });
      return done({});
    },
    resetPassword: async () => {
      await recorder.flash.saveState({ hotspotPassword: null });
      return done({});
    },
    wifiOpen: ({ sessions }) => recorder.wifi.open(sessions, authentication.viewer),
    wifiClose: async () => {
      await recorder.wifi.stop();
      return done({});
    },
    wifiSearch: () => done({ networks: networksOf(recorder) }),
    wifiConfigure: (network) => recorder.wifi.configure(network, authentication.viewer),
    otaStart: (announced, sequence) => {
      link.updateSequence = sequence;
      return recorder.update.announce(announced);
    },
    otaFinish: () => recorder.update.finish(),
    usageStatistics: () => done(recorder.usage),
    operationData: ({ afterEntry }) => {
      const later = recorder.entriesAfter(afterEntry);
      const items = later.slice(0, MAX_OPERATIONS);
      return done({ more: later.length > items.length, items });
    },
  };
}
