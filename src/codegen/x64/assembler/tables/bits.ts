/** Counting and moving bits: BMI1, BMI2, LZCNT, POPCNT, ADX, and tests of single bits. The notation is explained in `../form.ts`. */
export const bits = `
  bsf       L.0F        BC    RM   g g/m
  bsr       L.0F        BD    RM   g g/m
  tzcnt     L.F3.0F     BC    RM   g g/m
  lzcnt     L.F3.0F     BD    RM   g g/m
  popcnt    L.F3.0F     B8    RM   g g/m
  bt        L.0F        A3    MR   g/m g
  bt        L.0F        BA/4  MI   g/m ib
  bts       L.0F        AB    MR   g/m g   lock
  bts       L.0F        BA/5  MI   g/m ib  lock
  btr       L.0F        B3    MR   g/m g   lock
  btr       L.0F        BA/6  MI   g/m ib  lock
  btc       L.0F        BB    MR   g/m g   lock
  btc       L.0F        BA/7  MI   g/m ib  lock
  adcx      L.66.0F38   F6    RM   e e/m
  adox      L.F3.0F38   F6    RM   e e/m
  andn      V.NP.0F38.Wg  F2    RVM  e e e/m
  bextr     V.NP.0F38.Wg  F7    RMV  e e/m e
  blsr      V.NP.0F38.Wg  F3/1  VM   e e/m
  blsmsk    V.NP.0F38.Wg  F3/2  VM   e e/m
  blsi      V.NP.0F38.Wg  F3/3  VM   e e/m
  bzhi      V.NP.0F38.Wg  F5    RMV  e e/m e
  mulx      V.F2.0F38.Wg  F6    RVM  e e e/m
  pdep      V.F2.0F38.Wg  F5    RVM  e e e/m
  pext      V.F3.0F38.Wg  F5    RVM  e e e/m
  rorx      V.F2.0F3A.Wg  F0    RMI  e e/m ib
  sarx      V.F3.0F38.Wg  F7    RMV  e e/m e
  shlx      V.66.0F38.Wg  F7    RMV  e e/m e
  shrx      V.F2.0F38.Wg  F7    RMV  e e/m e
`;
