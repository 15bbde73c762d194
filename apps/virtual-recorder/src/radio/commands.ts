/** The command handlers of a connected phone. */
import {
  type CommandName,
  MAX_OPERATIONS,
  type RequestOf,
  type ResponseOf,
} from '@linnet/device/codec';
import { CHUNK_SIZE } from '../device-types.ts';
import { type Outcome, refused, succeeded } from '../outcome.ts';
import type { Recorder } from '../recorder.ts';
import {
  createBatteryReport,
  createHandshakeResponse,
  createSessionPage,
  createStatus,
  createStorageReport,
  listNetworks,
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

/** The link state that commands change. */
export interface CommandLink extends ConnectedPhone {
  /** Size of a notification, in bytes. */
  readonly payload: number;
  stream: SessionStream | undefined;
  /** The sequence of the request that announced the incoming firmware image. */
  updateSequence: number | undefined;
  /** Signals that a stream frame may be available. */
  wake(): void;
}

export function createCommandHandlers(
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
      return succeeded(createHandshakeResponse(recorder, negotiated.value, link.payload));
    },
    token: (request) => authentication.token(request),
    bind: () => authentication.bind(),
    unbind: async () => {
      await recorder.binding.unbind(link);
      return succeeded({});
    },
    agreeKey: (request) => authentication.agreeKey(request),
    openChannel: (request) => authentication.openChannel(request),
    claim: (request) => authentication.claim(request),
    attest: (request) => authentication.attest(request),
    timeSync: ({ unixTime }) => {
      recorder.setTime(unixTime);
      return succeeded({});
    },
    status: () => succeeded(createStatus(authentication.viewer, recorder)),
    serial: () => succeeded({ sn: recorder.flash.state.sn }),
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
      return succeeded(createSessionPage(authentication.viewer, recorder.sessions, afterSessionId));
    },
    syncFile: (request, sequence) => {
      const durable = recorder.sessions.durablePart(request.sessionId);
      if (!durable || !isVisible(request.sessionId)) return refused('session_unknown');
      const { refuseSession } = recorder.faults;
      if (refuseSession?.sessionId === request.sessionId) return refused(refuseSession.result);
      const chunks = Math.ceil(durable.size / CHUNK_SIZE);
      if (request.fromChunk > chunks) return refused('chunk_out_of_range');
      link.stream = new SessionStream(recorder, request, sequence, () => link.wake());
      return succeeded({ fileSize: durable.size, stillRecording: durable.sha256 === undefined });
    },
    syncStop: () => {
      link.stream = undefined;
      return succeeded({});
    },
    deleteRecord: async ({ sessionId }) => {
      if (!isVisible(sessionId)) return refused('session_unknown');
      const deleted = await recorder.sessions.delete(sessionId);
      if (!deleted.ok) return deleted;
      if (link.stream?.sessionId === sessionId) link.stream = undefined;
      return succeeded({});
    },
    storageVolume: () => succeeded(createStorageReport(recorder.sessions)),
    generalSetting: async (settings) => {
      await recorder.set(settings);
      return succeeded({});
    },
    battery: () => succeeded(createBatteryReport(recorder)),
    ledGet: () => succeeded({ recLedStatus: recorder.settings.recLedStatus }),
    ledSet: async ({ recLedStatus }) => {
      await recorder.set({ ...recorder.settings, recLedStatus });
      return succeeded({});
    },
    resetPassword: async () => {
      await recorder.flash.saveState({ hotspotPassword: null });
      return succeeded({});
    },
    wifiOpen: ({ sessions }) => recorder.wifi.open(sessions, authentication.viewer),
    wifiClose: async () => {
      await recorder.wifi.stop();
      return succeeded({});
    },
    wifiSearch: () => succeeded({ networks: listNetworks(recorder) }),
    wifiConfigure: (network) => recorder.wifi.configure(network, authentication.viewer),
    otaStart: (announced, sequence) => {
      link.updateSequence = sequence;
      return recorder.update.announce(announced);
    },
    otaFinish: () => recorder.update.finish(),
    usageStatistics: () => succeeded(recorder.usage),
    operationData: ({ afterEntry }) => {
      const laterEntries = recorder.entriesAfter(afterEntry);
      const items = laterEntries.slice(0, MAX_OPERATIONS);
      return succeeded({ more: laterEntries.length > items.length, items });
    },
  };
}
