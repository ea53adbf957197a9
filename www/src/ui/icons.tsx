import type { ComponentChildren, JSX } from 'preact';

function Icon({ children }: { readonly children: ComponentChildren }): JSX.Element {
  return (
    <svg
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

export const Play = (): JSX.Element => (
  <Icon>
    <path d="M7 4.5v15l12-7.5z" fill="currentColor" />
  </Icon>
);
export const Pause = (): JSX.Element => (
  <Icon>
    <path d="M8 5v14M16 5v14" stroke-width="3.5" />
  </Icon>
);
export const Back = (): JSX.Element => (
  <Icon>
    <path d="m14 6-6 6 6 6" />
  </Icon>
);
export const Forward = (): JSX.Element => (
  <Icon>
    <path d="m10 6 6 6-6 6" />
  </Icon>
);
export const First = (): JSX.Element => (
  <Icon>
    <path d="m18 6-6 6 6 6M7 5v14" />
  </Icon>
);
export const Last = (): JSX.Element => (
  <Icon>
    <path d="m6 6 6 6-6 6M17 5v14" />
  </Icon>
);
export const Copy = (): JSX.Element => (
  <Icon>
    <rect x="9" y="9" width="11" height="11" rx="2.5" />
    <path d="M5 15a1.5 1.5 0 0 1-1-1.4V6a2 2 0 0 1 2-2h7.600a1.5 1.5 0 0 1 1.4 1" />
  </Icon>
);
export const Check = (): JSX.Element => (
  <Icon>
    <path d="m5 13 4.5 4.500L19 7" />
  </Icon>
);
export const Upload = (): JSX.Element => (
  <Icon>
    <path d="M12 16V4m0 0L7 9m5-5 5 5M4 16v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2" />
  </Icon>
);
export const Theme = (): JSX.Element => (
  <Icon>
    <circle cx="12" cy="12" r="8.5" />
    <path d="M12 3.500a8.5 8.5 0 0 1 0 17z" fill="currentColor" />
  </Icon>
);
export const Close = (): JSX.Element => (
  <Icon>
    <path d="m6 6 12 12M18 6 6 18" />
  </Icon>
);
export const Logo = (): JSX.Element => (
  <svg viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" fill="var(--accent)" />
    <g fill="var(--accent-ink)">
      <rect x="7" y="8" width="18" height="3" rx="1.5" />
      <rect x="7" y="13" width="14" height="3" rx="1.5" opacity=".8" />
      <rect x="7" y="18" width="9" height="3" rx="1.5" opacity=".6" />
      <rect x="7" y="23" width="5" height="2.5" rx="1.25" opacity=".45" />
    </g>
  </svg>
);
