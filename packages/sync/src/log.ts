/** Writes a line to the app's log. Never pass titles, transcripts or addresses. */
export type Log = (event: string, facts?: Readonly<Record<string, string | number>>) => void;
