'use client';
import { useEffect } from 'react';
import * as densify from 'densify';
import * as tokens from 'densify/tokens';
import * as transcripts from 'densify/transcripts';
import { probe } from '../../probe.mjs';

export default function Page() {
  useEffect(
    () => void probe(densify, tokens, transcripts).then(console.log, (thrown) => console.error(String(thrown))),
    [],
  );
  return <p>densify</p>;
}
