/** Returns the signal that aborts the operations which begin now. */
export type SignalOf = () => AbortSignal;
