/** Hands on what the microphone hears, as it is. */
class Samples extends AudioWorkletProcessor {
  process([[channel]]) {
    if (channel) this.port.postMessage(channel.slice());
    return true;
  }
}
registerProcessor('samples', Samples);
