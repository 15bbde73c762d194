/** The in-process radio of a recorder. */
import type { Transport } from '@linnet/device/transport';
import { createMemoryLink } from '@linnet/transports/memory';
import type { Payload } from '../radio/model.ts';
import { Peripheral } from '../radio/peripheral.ts';
import { Radio } from '../radio/radio.ts';
import type { Recorder } from '../recorder.ts';

/** Connects a phone to a recorder. */
export function connectInMemory(recorder: Recorder, payload: Payload): Transport {
  return openMemoryLink(recorder, payload).transport;
}

/** Connects like {@link connectInMemory}, but over a link that can be broken. */
export function openMemoryLink(
  recorder: Recorder,
  payload: Payload,
): { readonly transport: Transport; drop(): void } {
  const { transport, peripheral: peer } = createMemoryLink({ name: recorder.flash.state.sn });
  const port = {
    notify: (bytes: Uint8Array) => peer.notify(bytes),
    backlog: () => 0,
    drop: () => peer.drop(),
  };
  const radio = new Radio(port, payload, recorder.clock, recorder.faults);
  const peripheral = new Peripheral(recorder, radio);
  peer.onWrite((bytes) => radio.receive(bytes));
  peer.onClosed(() => peripheral.close());
  return { transport, drop: () => peer.drop() };
}
