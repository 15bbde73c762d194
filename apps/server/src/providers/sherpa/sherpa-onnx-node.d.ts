/** Types for the parts of sherpa-onnx-node in use, because the package doesn't include types. */
declare module 'sherpa-onnx-node' {
  interface OfflineStream {
    acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
    setOption(name: string, value: string): void;
  }
  class OfflineRecognizer {
    constructor(config: object);
    createStream(): OfflineStream;
    decode(stream: OfflineStream): void;
    getResult(stream: OfflineStream): unknown;
  }
  class Vad {
    constructor(config: object, bufferSizeInSeconds: number);
    acceptWaveform(samples: Float32Array): void;
    isEmpty(): boolean;
    front(enableExternalBuffer?: boolean): { start: number; samples: Float32Array };
    pop(): void;
    flush(): void;
  }
  interface OnlineStream {
    acceptWaveform(wave: { samples: Float32Array; sampleRate: number }): void;
    inputFinished(): void;
  }
  class SpeakerEmbeddingExtractor {
    constructor(config: object);
    createStream(): OnlineStream;
    compute(stream: OnlineStream, enableExternalBuffer?: boolean): Float32Array;
  }
  class OfflineSpeakerDiarization {
    constructor(config: object);
    readonly sampleRate: number;
    process(samples: Float32Array): { start: number; end: number; speaker: number }[];
  }
}
