/** Forwards raw microphone samples. */
class Samples extends AudioWorkletProcessor {
  process([[channel]]) {
    if (channel) this.port.postMessage(channel.slice());
    return true;
  }
}
registerProcessor('samples', Samples);
