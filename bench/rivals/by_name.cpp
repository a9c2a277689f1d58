/* The time of each name, the longest first: what `ptk hotspots` answers, without nesting. */
#include <fstream>
#include <iterator>
#include <rapidjson/document.h>

#include "bench/rivals/by_name.hpp"

int main(int, char **argv)
{
    std::ifstream file(argv[1], std::ios::binary | std::ios::ate);
    std::vector<char> text(static_cast<size_t>(file.tellg()) + 1);
    rapidjson::Document document;
    times by_name;

    file.seekg(0);
    file.read(text.data(), static_cast<std::streamsize>(text.size() - 1));
    document.ParseInsitu(text.data());
    for (const auto &event : document["traceEvents"].GetArray())
        if (event["ph"] == "X")
            by_name[event["name"].GetString()] += event["dur"].GetDouble();
    print_longest(by_name);
}
