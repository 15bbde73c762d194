/** Types for the parts of node-llama-cpp in use. The package isn't a dependency, so its own types aren't available. */

export interface NodeLlamaCpp {
  getLlama(options: {
    readonly gpu: 'auto' | false;
    readonly build: 'never';
    readonly skipDownload: true;
    readonly progressLogs: false;
    readonly logLevel: 'error';
    readonly maxThreads: number;
  }): Promise<Llama>;
  resolveChatWrapper(
    model: LoadedModel,
    options: {
      readonly customWrapperSettings: { readonly qwen: { readonly thoughts: 'discourage' } };
    },
  ): ChatWrapper;
  readonly LlamaChat: new (options: {
    readonly contextSequence: object;
    readonly chatWrapper: ChatWrapper;
  }) => LlamaChat;
}

export interface Llama {
  loadModel(options: {
    readonly modelPath: string;
    readonly checkTensors: true;
  }): Promise<LoadedModel>;
  createGrammarForJsonSchema(schema: object): Promise<object>;
}

export interface LoadedModel {
  readonly trainContextSize: number;
  readonly embeddingVectorSize: number;
  readonly tokenizer: object;
  tokenize(text: string): readonly number[];
  createContext(options: { readonly contextSize: number }): Promise<{
    readonly contextSize: number;
    getSequence(): object;
  }>;
  createEmbeddingContext(options: {
    readonly contextSize: number;
    readonly threads: number;
  }): Promise<EmbeddingContext>;
}

interface EmbeddingContext {
  getEmbeddingFor(tokens: readonly number[]): Promise<{ readonly vector: readonly number[] }>;
}

export interface ChatWrapper {
  generateContextState(options: { readonly chatHistory: readonly ChatItem[] }): {
    readonly contextText: { tokenize(tokenizer: object): readonly number[] };
  };
}

export type ChatItem =
  | { readonly type: 'system' | 'user'; readonly text: string }
  | { readonly type: 'model'; readonly response: readonly string[] };

export interface LlamaChat {
  generateResponse(
    history: readonly ChatItem[],
    options: {
      readonly grammar: object;
      readonly maxTokens: number;
      readonly temperature: 0;
      readonly repeatPenalty: false;
      readonly budgets: { readonly thoughtTokens: 0 };
      /** Called with each new piece of the text. */
      readonly onTextChunk?: (text: string) => void;
    },
  ): Promise<{ readonly response: string; readonly metadata: { readonly stopReason: string } }>;
}
