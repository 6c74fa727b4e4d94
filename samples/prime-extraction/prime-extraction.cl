// Prime extraction: of many numbers a few are prime. They are to stand next to each other.
//
// Each work-group counts its primes by a scan, which also tells each of them its place among those of the group. The group then
// reserves as many packets of a pipe at once: one step for the group in the place of one for every prime, and the group's
// primes stay together, in their order.

static bool is_prime(const uint n)
{
    if (n < 4)
        return n >= 2;
    if (n % 2 == 0)
        return false;
    for (uint divisor = 3; divisor * divisor <= n; divisor += 2)
        if (n % divisor == 0)
            return false;
    return true;
}

__kernel void find_primes(const uint limit,
                          write_only pipe uint found,
                          __global uint *lost)
{
    const uint n = get_global_id(0);
    const bool mine = n < limit && is_prime(n);
    const uint place = work_group_scan_exclusive_add((uint)mine);
    const uint count = work_group_reduce_add((uint)mine);
    if (count == 0)
        return;
    const reserve_id_t room = work_group_reserve_write_pipe(found, count);
    if (is_valid_reserve_id(room)) {
        if (mine)
            write_pipe(found, room, place, &n);
        work_group_commit_write_pipe(found, room);
    } else if (mine)
        atomic_inc(lost);
}

// One packet for a work-item, as long as there are any.
__kernel void collect_primes(read_only pipe uint found,
                             __global uint *primes)
{
    uint prime;
    if (read_pipe(found, &prime) == 0)
        primes[get_global_id(0)] = prime;
}
