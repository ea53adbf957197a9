'use client';
import { useEffect } from 'react';
import * as parts from '../../parts.mjs';
import { probe } from '../../probe.mjs';

export default function Page() {
  useEffect(() => void probe(parts).then(console.log, (thrown) => console.error(String(thrown))), []);
  return <p>densify</p>;
}
