import './recorder.css';

/**
 * A battery icon.
 * @param level charge in percent
 */
export function Battery({
  level,
  charging,
  label,
}: {
  level: number;
  charging: boolean;
  label: string;
}) {
  const filled = Math.min(100, Math.max(0, level));
  return (
    <svg
      className="battery"
      viewBox="0 0 30 14"
      width="30"
      height="14"
      role="img"
      aria-label={label}
      data-low={(filled <= 15 && !charging) || undefined}
    >
      <title>{label}</title>
      <rect className="battery-case" x="0.75" y="0.75" width="25.5" height="12.5" rx="4" />
      <path className="battery-pole" d="M28 5v4" />
      <rect
        className="battery-fill"
        x="2.75"
        y="2.75"
        width={Math.max(1.5, 0.215 * filled)}
        height="8.5"
        rx="2.25"
      />
      {charging && <path className="battery-bolt" d="M15.5 1.5 11 8h3l-1.5 4.500L17.5 6h-3.200z" />}
    </svg>
  );
}

/**
 * A ring that shows used disk space.
 * @param used used space in percent
 */
export function StorageRing({
  used,
  full,
  label,
  size = 56,
}: {
  used: number;
  full: boolean;
  label: string;
  size?: number;
}) {
  return (
    <svg
      className="storage-ring"
      viewBox="0 0 56 56"
      width={size}
      height={size}
      role="img"
      aria-label={label}
      data-full={full || undefined}
    >
      <title>{label}</title>
      <circle className="storage-free" cx="28" cy="28" r="23" />
      <circle
        className="storage-used"
        cx="28"
        cy="28"
        r="23"
        pathLength="100"
        strokeDasharray={`${Math.max(full ? 100 : 0.5, Math.min(100, used))} 100`}
      />
    </svg>
  );
}

export type RecorderFace =
  | 'off'
  | 'idle'
  | 'recording'
  | 'paused'
  | 'searching'
  | 'updating'
  | 'asking'
  | 'bound';

/** Illustrates the recorder, whose screen shows its state. */
export function RecorderDrawing({ face, height = 168 }: { face: RecorderFace; height?: number }) {
  return (
    <svg
      className="recorder"
      data-face={face}
      viewBox="-3 0 108 168"
      width={(height * 108) / 168}
      height={height}
      aria-hidden="true"
    >
      {/* The Wi-Fi button is at the top left and the corner button at the top right, as in the guides. */}
      <rect className="recorder-button" x="-1" y="27" width="4" height="26" rx="2" />
      <rect className="recorder-button" x="99" y="27" width="4" height="26" rx="2" />
      <rect className="recorder-body" x="3" y="3" width="96" height="162" rx="26" />
      <rect className="recorder-screen" x="15" y="17" width="72" height="56" rx="13" />
      {face === 'idle' && (
        <path
          className="recorder-line"
          d="M29 45v0M36 44v2M43 43v4M51 44v2M58 43v4M65 44v2M72 45v0"
        />
      )}
      {face === 'recording' && (
        <>
          <path
            className="recorder-wave"
            d="M29 42v6M36 36v18M43 32v26M51 38v14M58 30v30M65 37v16M72 42v6"
          />
          <circle className="recorder-light" cx="78" cy="26" r="3" />
        </>
      )}
      {face === 'searching' && (
        <g className="recorder-seek">
          <circle cx="51" cy="45" r="4" />
          <path d="M41 55a14 14 0 0 1 0-20M61 35a14 14 0 0 1 0 20" />
        </g>
      )}
      {face === 'paused' && <path className="recorder-wave" d="M45 34v22M57 34v22" />}
      {face === 'updating' && (
        <path className="recorder-take" d="M51 30v18M43 41l8 8 8-8M39 59h24" />
      )}
      {face === 'asking' && (
        <path className="recorder-take" d="M43 39a8 8 0 1 1 11 8q-3 1-3 5M51 59v0" />
      )}
      {face === 'bound' && <path className="recorder-tick" d="m39 46 8 8 16-18" />}
      <g className="recorder-grille">
        {[0, 1, 2].map((line) =>
          [0, 1, 2, 3, 4].map((hole) => (
            <circle key={`${line}-${hole}`} cx={31 + hole * 10} cy={92 + line * 10} r="1.8" />
          )),
        )}
      </g>
      <circle className="recorder-key" cx="51" cy="140" r="11" />
    </svg>
  );
}
