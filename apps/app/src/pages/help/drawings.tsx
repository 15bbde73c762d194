/** Illustrations for the guides: the recorder, the phone, and transfers between them. */
import type { ReactNode } from 'react';
import './drawings.css';

/** A button on the recorder. */
export type RecorderPart = 'power' | 'wifi' | 'corner';
type Face = 'dark' | 'idle' | 'recording' | 'seeking' | 'asking' | 'wifi' | 'bound';

const faces: Readonly<Record<Face, ReactNode>> = {
  dark: null,
  idle: <path className="draw-lit" d="M13 24v0M18 23v2M23 22v4M28 23v2M33 24v0" />,
  recording: <path className="draw-live" d="M13 22v4M18 18v12M23 14v20M28 19v10M33 22v4" />,
  seeking: <path className="draw-lit" d="M23 24v0M17 30a9 9 0 0 1 0-12M29 18a9 9 0 0 1 0 12" />,
  asking: <path className="draw-lit" d="M18 19a5 5 0 1 1 7 5q-2 1-2 3M23 32v0" />,
  wifi: <path className="draw-lit" d="M23 31v0M17 26q6-5 12 0M12 21q11-9 22 0" />,
  bound: <path className="draw-good" d="m16 24 5 5 10-11" />,
};

/** Draws the recorder, 50 × 84, highlighting the pressed part. */
function RecorderShape({
  x,
  y,
  face,
  press,
}: {
  x: number;
  y: number;
  face: Face;
  press?: RecorderPart;
}) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <g className="draw-recorder">
        <rect
          className="draw-part"
          data-on={press === 'corner' || undefined}
          x="46"
          y="12"
          width="6"
          height="14"
          rx="3"
        />
        <rect
          className="draw-part"
          data-on={press === 'wifi' || undefined}
          x="-4"
          y="12"
          width="6"
          height="14"
          rx="3"
        />
        <rect className="draw-case" x="0" y="0" width="48" height="84" rx="13" />
        <rect className="draw-screen" x="7" y="9" width="34" height="30" rx="7" />
        {faces[face]}
        <path className="draw-dots" d="M16 48v0M24 48v0M32 48v0M16 54v0M24 54v0M32 54v0" />
        <circle
          className="draw-key"
          data-on={press === 'power' || undefined}
          cx="24"
          cy="69"
          r="7"
        />
        {press === 'power' && <circle className="draw-press" cx="24" cy="69" r="12" />}
        {press === 'corner' && <path className="draw-press" d="M57 12q5 7 0 14" />}
        {press === 'wifi' && <path className="draw-press" d="M-9 12q-5 7 0 14" />}
      </g>
    </g>
  );
}

/** Draws a phone, 48 × 88, with something on its screen. */
function PhoneShape({ x, y, children }: { x: number; y: number; children?: ReactNode }) {
  return (
    <g className="draw-phone" transform={`translate(${x} ${y})`}>
      <rect className="draw-case" x="0" y="0" width="48" height="88" rx="9" />
      <path className="draw-thin" d="M20 6h8" />
      {children}
    </g>
  );
}

/** Draws the app's middle button. */
const appButton = (isOn: boolean, inUse: boolean) => (
  <>
    <path className="draw-thin" d="M5 68h38" />
    <circle className="draw-key" data-on={isOn || undefined} cx="24" cy="74" r="6" />
    {inUse && <circle className="draw-press" cx="24" cy="74" r="10" />}
  </>
);

const rows = (ticked: boolean) => (
  <>
    <path className="draw-text" d="M9 20h18M9 36h22M9 52h14" />
    <path className="draw-faint" d="M9 26h12M9 42h10M9 58h16" />
    {ticked && (
      <path
        className="draw-good"
        d="m34 21 2.500 2.500 4-5M34 37l2.500 2.500 4-5M34 53l2.500 2.500 4-5"
      />
    )}
  </>
);

const waves = 'M104 42q6 12 0 24M112 36q9 18 0 36M136 42q-6 12 0 24M128 36q-9 18 0 36';
/** A transfer from the recorder to the phone. */
const transferArrow = (
  <>
    <path className="draw-live" d="M92 54v0M98 50v8M104 45v18M110 49v10M116 52v4M122 54v0" />
    <path className="draw-way" d="M130 54h16M141 49l5 5-5 5" />
  </>
);

/** Each illustration's content, on a 240 × 108 canvas. */
const scenes = {
  wake: <RecorderShape x={96} y={12} face="idle" press="power" />,
  near: (
    <>
      <RecorderShape x={36} y={12} face="seeking" />
      <path className="draw-way" d={waves} />
      <PhoneShape x={156} y={10} />
    </>
  ),
  choose: (
    <PhoneShape x={96} y={10}>
      <path className="draw-text" d="M10 24h22M10 56h20" />
      <rect className="draw-chosen" x="5" y="32" width="38" height="16" rx="5" />
      <path className="draw-text" d="M10 40h24" />
    </PhoneShape>
  ),
  confirm: <RecorderShape x={96} y={12} face="asking" press="power" />,
  bound: (
    <>
      <RecorderShape x={36} y={12} face="bound" />
      <path className="draw-way" d="M100 54h40" />
      <PhoneShape x={156} y={10}>
        <path className="draw-good" d="m15 44 6 6 12-14" />
      </PhoneShape>
    </>
  ),
  hold: <RecorderShape x={96} y={12} face="recording" press="power" />,
  tap: (
    <>
      <RecorderShape x={36} y={12} face="recording" />
      <path className="draw-way" d={waves} />
      <PhoneShape x={156} y={10}>
        {appButton(true, true)}
        <path className="draw-live" d="M11 38v4M17 32v16M24 28v24M31 34v12M37 38v4" />
      </PhoneShape>
    </>
  ),
  stop: <RecorderShape x={96} y={12} face="idle" press="power" />,
  fetch: (
    <>
      <RecorderShape x={32} y={12} face="idle" />
      {transferArrow}
      <PhoneShape x={160} y={10}>
        {rows(false)}
      </PhoneShape>
    </>
  ),
  wifi: (
    <>
      <RecorderShape x={32} y={12} face="wifi" press="wifi" />
      <path
        className="draw-way"
        d="M120 68v0M110 60q10-8 20 0M102 52q18-15 36 0M94 44q26-22 52 0"
      />
      <PhoneShape x={160} y={10}>
        {rows(false)}
      </PhoneShape>
    </>
  ),
  kept: (
    <PhoneShape x={96} y={10}>
      {rows(true)}
    </PhoneShape>
  ),
  upload: (
    <>
      <PhoneShape x={40} y={10}>
        {rows(false)}
      </PhoneShape>
      <path className="draw-way" d="M104 54h26M124 48l6 6-6 6" />
      <path className="draw-case" d="M158 72a14 14 0 0 1-2-28 20 20 0 0 1 38-4 16 16 0 0 1 4 32z" />
    </>
  ),
  read: (
    <PhoneShape x={96} y={10}>
      <path className="draw-text" d="M9 22h30M9 30h26M9 46h28M9 54h20" />
      <path className="draw-spoken" d="M18 38h10" />
      <path className="draw-text" d="M9 38h4M33 38h6" />
      <path className="draw-live" d="M10 73v4M16 69v12M22 71v8M28 67v16M34 71v8" />
    </PhoneShape>
  ),
  understand: (
    <>
      <path className="draw-way" d="M104 54h20M104 54q12 0 12-24h10M104 54q12 0 12 24h10" />
      <rect className="draw-root" x="56" y="42" width="48" height="24" rx="9" />
      <rect className="draw-leaf" x="126" y="20" width="58" height="20" rx="8" />
      <rect className="draw-leaf" x="126" y="44" width="44" height="20" rx="8" />
      <rect className="draw-leaf" x="126" y="68" width="52" height="20" rx="8" />
    </>
  ),
} as const satisfies Record<string, ReactNode>;
export type SceneName = keyof typeof scenes;

/** Illustrates a step in a guide. Hidden from screen readers, because the text beside it says the same. */
export function Scene({ name }: { name: SceneName }) {
  return (
    <svg className="drawing" viewBox="0 0 240 108" aria-hidden="true">
      {scenes[name]}
    </svg>
  );
}

/** Duration in seconds of a full turn of the dial, which is the longest press. */
const dialSeconds = 15;

/**
 * Illustrates a button press, with a dial that shows how long to press.
 * @param seconds 0 for a tap
 */
export function Press({
  part,
  seconds,
  face,
}: {
  part: RecorderPart;
  seconds: number;
  face: Face;
}) {
  return (
    <svg className="drawing-press" viewBox="0 0 100 96" aria-hidden="true">
      <RecorderShape x={14} y={6} face={face} press={part} />
      {seconds > 0 && (
        <g className="draw-dial">
          <circle cx="82" cy="76" r="12" />
          <circle
            className="draw-dial-part"
            cx="82"
            cy="76"
            r="12"
            pathLength={dialSeconds}
            strokeDasharray={`${seconds} ${dialSeconds}`}
          />
        </g>
      )}
    </svg>
  );
}

/** Illustrates the recorder, with its parts numbered to match the list beside it. */
export function RecorderMap({ numbers }: { numbers: readonly [string, string, string, string] }) {
  const places = [
    { x: 48, y: 141 },
    { x: 137, y: 33 },
    { x: 24, y: 33 },
    { x: 137, y: 72 },
  ] as const;
  return (
    <svg className="recorder-map" viewBox="0 0 160 180" aria-hidden="true">
      <g transform="translate(36 6) scale(1.95)">
        <RecorderShape x={0} y={0} face="recording" />
      </g>
      <path className="draw-thin" d="M58 141h10M138 33h-8M34 33h-6M127 72h-18" />
      {places.map(({ x, y }, index) => (
        <g key={numbers[index]} className="draw-number">
          <circle cx={x} cy={y} r="10" />
          <text x={x} y={y}>
            {numbers[index]}
          </text>
        </g>
      ))}
    </svg>
  );
}
