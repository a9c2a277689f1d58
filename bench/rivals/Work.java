/** Work for a flight recording: deep stacks, hash maps and arithmetic, for as many seconds as the argument says. */
import java.util.HashMap;
import java.util.Map;

public class Work {
    static long fold(int depth, int seed) {
        if (depth == 0)
            return mix(seed);
        return (seed & 1) == 0 ? left(depth - 1, seed * 31 + 7) : right(depth - 1, seed * 17 + 3);
    }

    static long left(int depth, int seed) {
        return fold(depth, seed) + fold(depth, seed + 1);
    }

    static long right(int depth, int seed) {
        return fold(depth, seed) ^ fold(depth, seed - 1);
    }

    static long mix(int seed) {
        long x = seed;
        for (int i = 0; i < 200; i++)
            x = x * 6364136223846793005L + 1442695040888963407L;
        return x;
    }

    static long count(int words) {
        Map<String, Integer> counts = new HashMap<>();
        for (int i = 0; i < words; i++)
            counts.merge("k" + i % 997, i, Integer::sum);
        return counts.size();
    }

    public static void main(String[] arguments) {
        long end = System.nanoTime() + Long.parseLong(arguments[0]) * 1000000000L, sum = 0;
        while (System.nanoTime() < end)
            sum += fold(10, (int) sum) + count(2000);
        System.out.println(sum);
    }
}
