/** Returns the signal for aborting operations started now. */
export type GetSignal = () => AbortSignal;
