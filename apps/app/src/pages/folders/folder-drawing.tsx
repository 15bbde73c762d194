/** A memory card, and a folder that holds a sound wave. */
export function FolderDrawing() {
  return (
    <svg
      className="folder-drawing"
      viewBox="0 0 220 140"
      width="220"
      height="140"
      aria-hidden="true"
    >
      <path
        className="folder-drawing-back"
        d="M58 34h34l12 12h58a8 8 0 0 1 8 8v62a8 8 0 0 1-8 8H58a8 8 0 0 1-8-8V42a8 8 0 0 1 8-8z"
      />
      <path className="folder-drawing-front" d="M50 62h120v54a8 8 0 0 1-8 8H58a8 8 0 0 1-8-8z" />
      <path
        className="folder-drawing-wave"
        d="M74 93v-6M84 99V81M94 106V74M104 96V84M114 110V70M124 100V80M134 96V84M144 92v-4"
      />
      <path className="folder-drawing-card" d="M152 18h22l10 10v34h-32z" />
      <path className="folder-drawing-contacts" d="M158 24v7M164 24v7M170 24v7" />
    </svg>
  );
}
