/* math_brute_force includes it on Linux and uses nothing of it. */
