// Bitonic sort: a fixed plan of comparisons, the same whatever the keys are, so all of a step go in parallel.
//
// A sequence is bitonic when it rises and then falls (or is a rotation of such). To compare each element of
// its first half with the one at the same place in the second half, smaller ones forward, leaves two bitonic
// halves, and nothing in the first is larger than anything in the second. Doing so again with halves of
// halves ends in order.
//
// Stage 0 makes sorted pairs, rising and falling by turns: two of them make a bitonic four. Stage 1 sorts the
// fours, again by turns, and so on, until the last stage sorts the whole. Stage s consists of the passes 0 to
// s. Each pass needs the one before it complete everywhere, and a barrier reaches no further than the
// work-group, so every pass is a launch: log2(n) * (log2(n) + 1) / 2 of them.
//
// A launch has n / 2 work-items, one for each pair; n is a power of two.
__kernel void bitonic_pass(__global uint *keys, const uint stage, const uint pass)
{
    const uint pair = get_global_id(0);

    // In this pass partners are `distance` apart, and blocks of twice that lie side by side.
    const uint distance = 1u << (stage - pass);
    const uint low = (pair / distance) * 2 * distance + pair % distance;
    const uint high = low + distance;

    // This stage makes runs of 2^(stage + 1) elements: the even ones rise, the odd ones fall.
    const bool rising = ((low >> (stage + 1)) & 1) == 0;

    const uint first = keys[low];
    const uint second = keys[high];
    const uint smaller = min(first, second);
    const uint larger = max(first, second);
    keys[low] = rising ? smaller : larger;
    keys[high] = rising ? larger : smaller;
}
