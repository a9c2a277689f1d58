/* What a reader of traces needs at least: phase, name, category, process, thread, time, duration and
 * correlation of every event, in columns; and the time of each name. ptk also nests the events. */
#include <simdjson.h>

#include "bench/rivals/by_name.hpp"

using namespace simdjson;

struct columns {
    std::vector<char> phase;
    std::vector<uint64_t> name, category, process, thread; /* as hashes */
    std::vector<double> start, duration;
    std::vector<int64_t> correlation;
};

template <typename T> static T value_or(simdjson_result<T> result, T otherwise)
{
    return result.error() ? otherwise : result.value_unsafe();
}

static uint64_t hash_of(std::string_view text)
{
    return std::hash<std::string_view>()(text);
}

static std::string_view add(columns &columns, ondemand::object &event)
{
    auto phase = value_or<std::string_view>(event["ph"].get_string(), "?");
    auto name = value_or<std::string_view>(event["name"].get_string(), "");

    columns.phase.push_back(phase[0]);
    columns.name.push_back(hash_of(name));
    columns.category.push_back(hash_of(value_or<std::string_view>(event["cat"].get_string(), "")));
    columns.process.push_back(
        hash_of(value_or<std::string_view>(event["pid"].raw_json_token(), "")));
    columns.thread.push_back(
        hash_of(value_or<std::string_view>(event["tid"].raw_json_token(), "")));
    columns.start.push_back(value_or<double>(event["ts"].get_double(), 0));
    columns.duration.push_back(value_or<double>(event["dur"].get_double(), 0));
    columns.correlation.push_back(value_or<int64_t>(event["args"]["correlation"].get_int64(), -1));
    return name;
}

int main(int, char **argv)
{
    auto text = padded_string::load(argv[1]).value();
    ondemand::parser parser;
    ondemand::document document = parser.iterate(text).value();
    columns columns;
    times by_name;

    for (ondemand::object event : document["traceEvents"].get_array()) {
        std::string_view name = add(columns, event);

        if (columns.phase.back() == 'X')
            by_name[std::string(name)] += columns.duration.back();
    }
    print_longest(by_name);
}
